//! Snapshots merged into a live state, or into each other: no ID of either is issued again. Single merges, with their answers,
//! are in `tests/stories/merging.json` and `not-before.json`.

use std::collections::HashSet;

use graupel::engine::{Backfill, Backwards, Full, Generator, NotIssued, Policy, State};

use crate::made::InMs;
use crate::subjects::{self, Subject};

const HOLD_BORROW: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 1_000_000 };
const TICK_TOCK: Policy = Policy { backwards: Backwards::TickTock, ..HOLD_BORROW };

/// Pseudo-random numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }
}

/// `count` IDs at one reading.
fn issue(subject: &Subject, generator: &mut Generator, tick: i64, count: u64, dice: &mut Dice) -> Vec<u128> {
    let mut ids = Vec::new();
    while (ids.len() as u64) < count {
        ids.push(one(subject, generator, tick, &HOLD_BORROW, dice).unwrap());
    }
    ids
}

#[expect(clippy::cast_precision_loss)]
fn one(subject: &Subject, generator: &mut Generator, tick: i64, policy: &Policy, dice: &mut Dice) -> Option<u128> {
    let now = subject.schema.scale.timestamp(tick) as f64;
    let mut bits = None;
    loop {
        match generator.next_ms(now, bits, policy) {
            Ok(()) => return Some(subject.id(generator).bits),
            Err(NotIssued::Draw { bytes }) => bits = Some(dice.roll() & ((1 << (8 * bytes)) - 1)),
            Err(NotIssued::Wait { .. }) | Err(NotIssued::Refused(_)) => return None,
        }
    }
}

/// A generator that has issued one ID, at tick 1000, and the dice that go on.
fn after_one(subject: &Subject, seed: u64) -> (Generator, Dice) {
    let (mut generator, mut dice) = (subject.generator, Dice(seed));
    issue(subject, &mut generator, 1000, 1, &mut dice);
    (generator, dice)
}

/// The clock goes back to tick 990, and the tick-tock bit toggles.
fn toggle(subject: &Subject, generator: &mut Generator, dice: &mut Dice) {
    one(subject, generator, 990, &TICK_TOCK, dice).unwrap();
}

const fn snapshot(generator: &Generator) -> (State, Backfill) {
    (generator.state, generator.backfill)
}

fn merge(generator: &mut Generator, (state, backfill): &(State, Backfill)) {
    generator.merge(state, backfill, -1);
}

/// Histories in which the clock goes back, with either tick-tock bit, merged in every order.
#[test]
fn histories_that_have_parted() {
    const POLICIES: [Policy; 2] = [HOLD_BORROW, Policy { backwards: Backwards::TickTock, ..HOLD_BORROW }];
    for subject in subjects::all() {
        let mut dice = Dice(3);
        for round in 0..400 {
            let mut roots = [subject.generator; 3];
            let mut seen = HashSet::new();
            for generator in &mut roots {
                for _ in 0..dice.roll() % 12 {
                    let tick = 1000 + i64::try_from(dice.roll() % 6).unwrap();
                    let policy = &POLICIES[usize::from(subject.is_sno() && dice.roll().is_multiple_of(2))];
                    seen.extend(one(&subject, generator, tick, policy, &mut dice));
                }
            }
            let [mut heir, second, third] = roots;
            for one in [&second, &third, &second] {
                merge(&mut heir, &snapshot(one));
            }
            for step in 0..12 {
                let tick = 1000 + i64::try_from(dice.roll() % 8).unwrap();
                let policy = &POLICIES[usize::from(subject.is_sno() && dice.roll().is_multiple_of(2))];
                if let Some(id) = one(&subject, &mut heir, tick, policy, &mut dice) {
                    assert!(
                        seen.insert(id),
                        "{}, round {round}: ID {step} after the merge was issued before",
                        subject.name
                    );
                }
            }
        }
    }
}

#[test]
fn a_snapshot_merged_again_changes_nothing() {
    for subject in subjects::all() {
        let mut dice = Dice(4);
        for round in 0..60 {
            let [mut first, mut second] = [subject.generator; 2];
            issue(&subject, &mut first, 1000, 1 + round % 7, &mut dice);
            issue(&subject, &mut second, 1000 + i64::try_from(round % 3).unwrap(), 1 + round % 5, &mut dice);
            let mut merged = first;
            merge(&mut merged, &snapshot(&second));
            let once = snapshot(&merged);
            for one in [&second, &first, &second] {
                merge(&mut merged, &snapshot(one));
            }
            assert_eq!(snapshot(&merged), once, "{}, round {round}", subject.name);
        }
    }
}

/// Also for the ticks of a tick-tock bit, which lie above the last one after a step back.
#[test]
fn spending_ticks_that_are_spent_takes_nothing_back() {
    for subject in subjects::all() {
        let (mut generator, mut dice) = after_one(&subject, 6);
        if subject.is_sno() {
            toggle(&subject, &mut generator, &mut dice);
            assert_eq!(generator.state.safe, 1000, "{}", subject.name);
        }
        let (state, backfill) = snapshot(&generator);
        generator.merge(&state, &backfill, 900);
        assert_eq!(snapshot(&generator), (State { first_live: 0, ..state }, backfill), "{}", subject.name);
    }
}

/// Of a state that covers the other one, only the reading changes; with either tick-tock bit.
#[test]
fn the_higher_reading_counts() {
    for subject in subjects::all() {
        let (mut generator, mut dice) = after_one(&subject, 7);
        for tick_tocks in 0..=u64::from(subject.is_sno()) {
            if tick_tocks == 1 {
                toggle(&subject, &mut generator, &mut dice);
            }
            let (state, backfill) = snapshot(&generator);
            let own = State { highest: state.last + 1, last: state.last + 4, ..state };
            let other = State { highest: state.last + 2, last: state.last + 3, ..state };
            let mut merged = generator;
            merged.state = own;
            merged.merge(&other, &backfill, -1);
            assert_eq!(merged.state.tick_tocks, tick_tocks, "{}", subject.name);
            assert_eq!(merged.state, State { highest: other.highest, ..own }, "{}", subject.name);
        }
    }
}

/// Where one history goes on from the other, no tick is lost.
#[test]
#[expect(clippy::cast_precision_loss)]
fn the_later_of_two_snapshots_is_taken_as_it_is() {
    for subject in subjects::all() {
        let mut dice = Dice(8);
        let mut generator = subject.generator;
        let mut history = vec![snapshot(&generator)];
        issue(&subject, &mut generator, 1000, 3, &mut dice);
        history.push(snapshot(&generator));
        let time = subject.schema.scale.timestamp(500) as f64;
        assert_eq!(generator.at_ms(time, Some(1)), Ok(()));
        history.push(snapshot(&generator));
        if subject.is_sno() {
            toggle(&subject, &mut generator, &mut dice);
            history.push(snapshot(&generator));
        }
        issue(&subject, &mut generator, 1001, 1, &mut dice);
        let newest = snapshot(&generator);
        for (index, older) in history.iter().enumerate() {
            for (own, other) in [(older, &newest), (&newest, older)] {
                (generator.state, generator.backfill) = *own;
                merge(&mut generator, other);
                assert_eq!(snapshot(&generator), newest, "{}: snapshot {index}", subject.name);
            }
        }
    }
}
