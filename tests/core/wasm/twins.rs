//! Generators behind the boundary, compared with their twins in the core: a slot gives the core's
//! answers as numbers, for single calls, bursts and batches, whatever other calls come in between.

use graupel::abi::{Asked, BATCH, BATCH_IDS, DATA, FIELDS, Random};
use graupel::engine::{Backwards, Full, Generator, Policy, Restart, SAVED, Saved, SequenceRule};
use graupel::formats::sno;
use proptest::prelude::*;
use proptest::sample::select;
use wasm_bindgen_test::wasm_bindgen_test;

use super::boundary::{
    self, as_number, assert_answer, at, filled, float, form, issued, numbers, open, policy_arguments, put_floats,
    status,
};
use super::subject;
use crate::check::check;
use crate::made::{self, Answer, InMs};
use crate::subjects::{self, FormatUnderTest, POOL};

/// A slot, and the generator whose answers it must give.
struct Twins {
    subject: FormatUnderTest,
    slot: u8,
    core: Generator,
    metabyte: u8,
}

impl Twins {
    fn new(subject: &FormatUnderTest, core: Generator, slot: u8) -> Self {
        open(subject, &core, slot);
        Self { subject: subject.clone(), slot, core, metabyte: 0x5A }
    }

    fn form(&self) -> u32 {
        form(&self.subject) | u32::from(self.metabyte) << Asked::PER_CALL_SHIFT
    }

    /// The drawn bits, or who draws them. A counter draws only a random start.
    fn bits(&self, random: Option<u64>) -> f64 {
        let SequenceRule::Counter { restart, .. } = *self.core.values() else {
            return random.map_or(Random::FROM_CALLER, as_number);
        };
        let counts = restart != Restart::RANDOM;
        random.map_or(if counts { Random::FROM_PLATFORM } else { Random::FROM_CALLER }, as_number)
    }

    /// Compares the slot's answer and ID with the core's.
    fn compare(&self, found: u32, answer: Answer) -> Answer {
        assert_answer(found, answer, self.subject.name);
        if answer == Ok(()) {
            self.compare_id(DATA);
        }
        answer
    }

    fn compare_id(&self, offset: usize) {
        let whole = self.core.whole_id(self.metabyte.into());
        let expected = if self.subject.is_sno() { whole } else { self.core.id().into() };
        assert_eq!(issued(offset, form(&self.subject)), expected, "{}", self.subject.name);
    }

    /// The slot must save the core's numbers.
    fn compare_saved(&self) {
        boundary::call("save", &[self.slot.into()]);
        let found: Vec<_> = (0..SAVED.len()).map(|number| float(FIELDS + 8 * number)).collect();
        assert_eq!(found, numbers(&self.core), "{}", self.subject.name);
    }

    /// A batch has the IDs of the same number of single calls, but no more than the area holds. An
    /// incomplete batch has the answer of the next call.
    fn fill(&mut self, now: f64, policy: &Policy, wanted: u32) {
        let [flags, ahead] = policy_arguments(policy, self.form());
        let found = status("fill", &[self.slot.into(), now, flags, ahead, wanted.into()]);
        let made = filled();
        let wanted = BATCH_IDS.min(wanted as usize);
        for number in 0..wanted {
            let answer = self.core.next_ms(now, None, policy);
            if answer != Ok(()) {
                assert_answer(found, answer, self.subject.name);
                assert_eq!(made, number, "{}: of {wanted}", self.subject.name);
                return;
            }
            let size = if self.subject.is_sno() { sno::TEXT.length() } else { 8 };
            self.compare_id(BATCH + size * number);
        }
        assert_eq!((found, made), (0, wanted), "{}", self.subject.name);
    }
}

impl InMs for Twins {
    fn next_ms(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer {
        let answer = self.core.next_ms(unix_ms, random, policy);
        let [flags, ahead] = policy_arguments(policy, self.form());
        self.compare(status("next", &[self.slot.into(), unix_ms, flags, ahead, self.bits(random)]), answer)
    }

    fn at_ms(&mut self, unix_ms: f64, random: Option<u64>) -> Answer {
        let answer = self.core.at_ms(unix_ms, random);
        self.compare(at(self.slot.into(), unix_ms, self.form(), self.bits(random)), answer)
    }
}

/// How many values one tick can hold.
fn capacity(values: &SequenceRule) -> u64 {
    match *values {
        SequenceRule::Counter { first, last, .. } => last - first + 1,
        SequenceRule::Random { max, .. } => max + 1,
    }
}

/// More than the area holds, in each form; the last call uses the tick up.
#[wasm_bindgen_test]
fn a_batch_of_a_whole_tick() {
    for name in ["twitter", "snowflake-si", "sno"] {
        let subject = subject(name);
        let generator = subject.pooled(capacity(subject.generator.values()).min(2500));
        let mut twins = Twins::new(&subject, generator, 0);
        #[expect(clippy::cast_precision_loss)]
        let now = subject.schema.scale().timestamp(1000) as f64;
        for wanted in [0, BATCH_IDS + 1, BATCH_IDS, BATCH_IDS + 1] {
            twins.fill(now, &POLICIES[3], u32::try_from(wanted).unwrap());
        }
        assert_eq!(twins.core.saved.stats.issued, capacity(generator.values()), "{name}");
    }
}

/// A call of one of two slots. Most are equal to the previous call.
#[derive(Clone, Copy, Debug)]
enum Call {
    Next,
    At,
    Fill(u32),
    /// Continues from the numbers that the slot has saved.
    Restore,
    /// Merges the state of the other slot. All ticks up to this many after the last one count as used.
    Merge(i64),
    /// Moves the clock, in ticks, and reads it late in the tick or not.
    Clock(i64, bool),
    Policy(Policy),
    Metabyte(u8),
    Turn,
}

/// Several of these differ in only one part.
const POLICIES: [Policy; 5] = [
    Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 50 },
    Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 0 },
    Policy { backwards: Backwards::Hold, full: Full::Throw, max_ahead: 50 },
    Policy { backwards: Backwards::Wait, full: Full::Wait, max_ahead: 50 },
    Policy { backwards: Backwards::Throw, full: Full::Borrow, max_ahead: 50 },
];

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        12 => Just(Call::Next),
        2 => Just(Call::At),
        4 => (0_u32..12).prop_map(Call::Fill),
        1 => Just(Call::Restore),
        1 => (-3_i64..2).prop_map(Call::Merge),
        3 => (-1_i64..4, any::<bool>()).prop_map(|(ticks, late)| Call::Clock(ticks, late)),
        2 => select(&POLICIES[..]).prop_map(Call::Policy),
        2 => select(&[0, 1, 0x5A, 0x80, 0xFF][..]).prop_map(Call::Metabyte),
        2 => Just(Call::Turn),
    ]
}

#[wasm_bindgen_test]
fn calls_that_equal_the_one_before_or_only_look_it() {
    for subject in subjects::all() {
        let counts = matches!(subject.generator.values(), SequenceRule::Counter { .. });
        check(100, prop::collection::vec(call(), 200), |calls| {
            let mut twins = [0, 1].map(|slot| Twins::new(&subject, subject.pooled(POOL), slot));
            let (mut now, mut policy) = (subject.schema.scale().timestamp(1000), POLICIES[0]);
            #[expect(clippy::cast_precision_loss)]
            let mut reading = now as f64;
            for call in calls {
                let tick_ms = i64::from(subject.schema.scale().tick_ms());
                #[expect(clippy::cast_precision_loss)]
                match call {
                    Call::Clock(ticks, late) => {
                        now += ticks * tick_ms;
                        reading = if late { (now + tick_ms) as f64 - 0.75 } else { now as f64 };
                    }
                    Call::Policy(other) => policy = other,
                    Call::Metabyte(other) => twins[0].metabyte = other,
                    Call::Turn => twins.swap(0, 1),
                    Call::Next => drop(subject.draws(|bits| twins[0].next_ms(reading, bits, &policy))),
                    Call::At => drop(subject.draws(|bits| twins[0].at_ms(reading - 100_000.0, bits))),
                    Call::Fill(wanted) if counts => twins[0].fill(reading, &policy, wanted),
                    Call::Fill(_) => {}
                    Call::Restore => {
                        twins[0].compare_saved();
                        boundary::call("restore", &[twins[0].slot.into()]);
                        let saved = twins[0].core.saved;
                        twins[0].core.restore(&saved);
                    }
                    Call::Merge(ticks) => {
                        let spent = core::cmp::max(-1, twins[0].core.saved.state.last + ticks);
                        let Saved { state, backfill, .. } = twins[1].core.saved;
                        put_floats(FIELDS, &numbers(&twins[1].core));
                        boundary::call("merge", &[twins[0].slot.into(), as_number(spent.cast_unsigned())]);
                        made::merge(&mut twins[0].core, &state, &backfill, spent);
                    }
                }
            }
            twins.iter().for_each(Twins::compare_saved);
            Ok(())
        });
    }
}
