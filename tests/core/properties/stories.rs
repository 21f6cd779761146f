//! Generators under random stories: never an ID twice, none out of order or out of its layout, and a refused call
//! leaves no trace.

use std::collections::HashSet;

use graupel::Error;
use graupel::engine::{Backwards, Full, Generator, Interval, NotIssued, Policy, Saved, SequenceRule, State};

use proptest::prelude::*;

use super::walk::{Event, Source, Walk, allowed, walk};
use crate::check::{Held, check, test};
use crate::made::{self, Answer, InMs};
use crate::subjects::{self, Id, Subject};

#[test]
fn no_story_repeats_an_id() {
    let subjects = subjects::all();
    let anywhere = prop_oneof![1 => Just(0), 3 => Just(1), 1 => Just(2)];
    check(1300, (prop::sample::select(subjects), walk(anywhere)), |(subject, walk)| {
        let mut teller = Teller::new(&subject, &walk);
        for event in &walk.events {
            teller.tell(event)?;
        }
        teller.ends_well()
    });
}

/// Histories that have parted, merged in every order.
#[test]
fn merged_histories_repeat_no_id() {
    let walks = prop::array::uniform4(walk(Just(1)));
    check(350, (prop::sample::select(subjects::all()), walks), |(subject, mut walks)| {
        let pool = walks[0].source.pool;
        walks.iter_mut().for_each(|walk| walk.source.pool = pool);
        let [own, second, third, goes_on] = walks;
        let told = |walk: &Walk| {
            let mut teller = Teller::new(&subject, walk);
            walk.events.iter().try_for_each(|event| teller.tell(event)).map(|()| teller)
        };
        let (mut heir, second, third) = (told(&own)?, told(&second)?, told(&third)?);
        for other in [&second, &third, &second] {
            let before = heir.generator;
            made::merge(&mut heir.generator, &other.generator.saved.state, &other.generator.saved.backfill, -1);
            heir.issued.extend(&other.issued);
            let once = heir.generator;
            for again in [&other.generator, &before] {
                made::merge(&mut heir.generator, &again.saved.state, &again.saved.backfill, -1);
                prop_assert_eq!(&heir.generator, &once, "merged again");
            }
        }
        heir.last = None;
        goes_on.events.iter().try_for_each(|event| heir.tell(event))?;
        heir.ends_well()
    });
}

/// Where one history goes on from the other in a later tick, no tick is lost.
#[test]
fn the_later_of_two_snapshots_is_taken_as_it_is() {
    check(300, (prop::sample::select(subjects::all()), walk(Just(1))), |(subject, walk)| {
        let mut teller = Teller::new(&subject, &walk);
        let mut older = vec![teller.generator];
        for event in &walk.events {
            teller.tell(event)?;
            older.push(teller.generator);
        }
        teller.ends_well()?;
        let newest = teller.generator;
        for older in older {
            for (own, other) in [(older, newest), (newest, older)] {
                let mut merged = own;
                made::merge(&mut merged, &other.saved.state, &other.saved.backfill, -1);
                prop_assert_eq!(merged.saved.state, newest.saved.state);
                // Two counters of given times that differ cannot be compared.
                if older.saved.backfill.highest < 0 || older.saved.backfill == newest.saved.backfill {
                    prop_assert_eq!(merged.saved.backfill, newest.saved.backfill);
                }
            }
        }
        Ok(())
    });
}

struct Teller<'a> {
    subject: &'a Subject,
    generator: Generator,
    /// The tick that the clock reads; it may be outside the format's life.
    clock: i64,
    source: Source,
    issued: HashSet<u128>,
    /// The last ID of `next`.
    last: Option<Id>,
    /// Whether the format can keep a sequence, as Snowflake-SI can; and whether it did, so that IDs of one tick may be out of order.
    keeps: bool,
    kept: bool,
}

impl<'a> Teller<'a> {
    fn new(subject: &'a Subject, walk: &Walk) -> Self {
        let mut source = walk.source.clone();
        source.pool = source.pool.min(made::capacity(subject.generator.values()));
        Self {
            subject,
            generator: subject.pooled(source.pool),
            clock: subject.schema.scale().last() * walk.halves / 2,
            source,
            issued: HashSet::new(),
            last: None,
            keeps: subject.name.starts_with("snowflake-si"),
            kept: false,
        }
    }

    fn tell(&mut self, event: &Event) -> Held {
        match *event {
            Event::Clock(ticks) => self.clock += ticks,
            Event::Next { policy, restart: number, times, waits } => {
                if self.keeps {
                    self.generator.obey(number, self.subject.schema.scale());
                    self.kept |= number != 0;
                }
                let policy = allowed(self.subject, policy);
                for _ in 0..times {
                    if let Some(reading) = self.next(&policy, waits)? {
                        self.check_single_steps(&policy, reading)?;
                        self.check_burst(&policy, reading)?;
                    }
                }
            }
            Event::At { ticks, times } => {
                for _ in 0..times {
                    self.at(self.clock + ticks)?;
                }
            }
            Event::Restart { own_form } => self.restart(own_form),
            Event::Interval(interval) => {
                self.generator.saved.interval = interval.map_or(Interval::ALL, |(from, length)| {
                    let from = self.clock + from;
                    Interval { from: from.max(0), until: from + length }
                });
            }
        }
        Ok(())
    }

    /// Asks until the answer is no longer "draw".
    fn ask(&mut self, mut call: impl FnMut(&mut Generator, Option<u64>) -> Answer) -> Result<Answer, TestCaseError> {
        let mut bits = None;
        for _ in 0..64 {
            match call(&mut self.generator, bits) {
                Err(NotIssued::Draw { bytes }) => bits = Some(self.source.bits(self.subject, bytes)),
                answer => return Ok(answer),
            }
        }
        Err(TestCaseError::fail("draws without end"))
    }

    /// One call. Returns the reading at which it got an ID.
    fn next(&mut self, policy: &Policy, waits: bool) -> Result<Option<f64>, TestCaseError> {
        // At most one wait each: for the highest reading, for the interval, for the tick ahead of the clock, and for the next one
        // if random values have used that tick up.
        for _ in 0..5 {
            let (before, clock) = (self.generator, self.clock);
            let reading = self.source.reading(self.subject, clock);
            match self.ask(|generator, bits| generator.next_ms(reading, bits, policy))? {
                Ok(()) => {
                    self.check_issued(policy, &before.saved.state)?;
                    return Ok(Some(reading));
                }
                Err(NotIssued::Refused(error)) => {
                    self.untouched(&before)?;
                    self.explained(error, policy)?;
                    return Ok(None);
                }
                Err(NotIssued::Wait { until, cause }) => {
                    self.untouched(&before)?;
                    let tick = self.tick_of(until)?;
                    prop_assert!(tick > clock, "waits for {tick}, which has come: it is {clock}");
                    match cause {
                        Error::ClockBackwards => prop_assert!(clock < before.saved.state.highest),
                        Error::SequenceFull => prop_assert_ne!(policy.full, Full::Throw),
                        Error::OutsideInterval => prop_assert!(clock < before.saved.interval.from),
                        cause => prop_assert!(false, "waits because of {cause:?}"),
                    }
                    if !waits {
                        return Ok(None);
                    }
                    self.clock = tick;
                }
                Err(NotIssued::Draw { .. }) => unreachable!("ask() answers these"),
            }
        }
        Err(TestCaseError::fail("waits without end"))
    }

    fn tick_of(&self, until: i64) -> Result<i64, TestCaseError> {
        let (since, tick_ms) =
            (until - self.subject.schema.scale().epoch(), i64::from(self.subject.schema.scale().tick_ms()));
        prop_assert_eq!(since % tick_ms, 0, "waits for a moment within a tick");
        Ok(since / tick_ms)
    }

    /// Checks an ID of the clock's counter.
    fn check_issued(&mut self, policy: &Policy, before: &State) -> Held {
        let id = self.subject.id(&self.generator);
        let Interval { from, until } = self.generator.saved.interval;
        prop_assert!(self.issued.insert(id.bits), "twice: {id:?}");
        prop_assert!((from..until).contains(&id.tick), "outside the interval: {id:?}");
        prop_assert!(id.tick > self.generator.saved.backfill.highest, "a tick that was given: {id:?}");

        // Never behind the clock, and ahead of it only as far as the policy allows.
        let ahead = id.tick - self.clock;
        prop_assert!((0..=policy.max_ahead.max(0)).contains(&ahead), "{ahead} ticks ahead of the clock: {id:?}");
        let held = policy.backwards == Backwards::Hold && self.clock < before.highest;
        let early = self.clock < from;
        prop_assert!(ahead == 0 || held || early || policy.full == Full::Borrow, "ahead of the clock: {id:?}");

        let state = &self.generator.saved.state;
        let toggled = state.tick_tocks != before.tick_tocks;
        let back = self.clock < before.highest && policy.backwards == Backwards::TickTock;
        prop_assert_eq!(toggled, back, "the other line");
        prop_assert_eq!(id.tick_tock, self.subject.is_sno() && state.tick_tocks % 2 == 1);
        prop_assert_eq!(state.highest, if toggled { self.clock } else { before.highest.max(self.clock) });
        if let (Some(last), false) = (self.last, toggled) {
            let rises = if self.kept { id.tick >= last.tick } else { id.bits > last.bits };
            prop_assert!(rises, "{last:?}, and then {id:?}");
        }
        self.last = Some(id);
        Ok(())
    }

    /// Further IDs of the tick are the same from a burst as from single calls.
    fn check_single_steps(&mut self, policy: &Policy, reading: f64) -> Held {
        let (mut short, mut call) = (self.generator, self.generator);
        for _ in 0..self.source.draw(4) {
            let bytes = short.step_bytes();
            let bits = (bytes > 0).then(|| self.source.bits(self.subject, bytes));
            let step = bits.unwrap_or(1);
            prop_assert_eq!(short.fits(step), step <= short.room());
            if step == 0 || !short.fits(step) {
                break;
            }
            short.take_one(step);
            prop_assert_eq!(call.next_ms(reading, bits, policy), Ok(()));
            prop_assert_eq!(short, call);
        }
        Ok(())
    }

    /// Sometimes takes several IDs of a burst at once: the same as single calls, and as many as are consecutive.
    fn check_burst(&mut self, policy: &Policy, reading: f64) -> Held {
        let most = self.source.draw(12);
        if most >= 2 * self.source.pool {
            return Ok(());
        }
        let mut single = self.generator;
        let count = if single.step_bytes() == 0 { single.room().min(most) } else { 0 };
        self.generator.take(count);
        for _ in 0..count {
            let before = single.latest();
            prop_assert_eq!(single.next_ms(reading, None, policy), Ok(()));
            prop_assert_eq!(single.latest(), (before.0, before.1 + 1, before.2));
            let id = self.subject.id(&single);
            prop_assert!(self.issued.insert(id.bits), "twice: {id:?}");
            self.last = Some(id);
        }
        prop_assert_eq!(&self.generator, &single);
        if let (true, SequenceRule::Counter { last, .. }) = (count < most, *single.values()) {
            let Saved { state, .. } = &single.saved;
            prop_assert!(state.left == 0 || state.value >= last, "{count} of {most} from {state:?}");
        }
        Ok(())
    }

    /// Checks that the clock and the policy explain a refusal.
    fn explained(&self, error: Error, policy: &Policy) -> Held {
        let (clock, end) = (self.clock, self.subject.schema.scale().last());
        let Saved { state, interval, backfill, .. } = &self.generator.saved;
        // The latest tick that this call can have requested.
        let latest = clock.max(state.last + 1).max(state.highest).max(interval.from);
        let accounted = match error {
            Error::BeforeEpoch => clock < 0,
            Error::EndOfLife => latest > end,
            Error::ClockBackwards => policy.backwards == Backwards::Throw && clock < state.highest,
            Error::SequenceFull => policy.full == Full::Throw && clock <= state.last.max(interval.from),
            Error::TimeTaken => clock <= backfill.highest,
            Error::OutsideInterval => latest >= interval.until || clock < interval.from,
            _ => false,
        };
        prop_assert!(accounted, "{error:?} at {clock} under {policy:?} in {state:?}");
        Ok(())
    }

    /// Checks that nothing has changed except the statistics.
    fn untouched(&self, before: &Generator) -> Held {
        let mut after = self.generator;
        prop_assert_eq!(after.saved.stats.issued, before.saved.stats.issued);
        after.saved.stats = before.saved.stats;
        prop_assert_eq!(&after, before, "a call without an ID left a trace");
        Ok(())
    }

    fn at(&mut self, tick: i64) -> Held {
        let before = self.generator;
        let time = self.source.reading(self.subject, tick);
        match self.ask(|generator, bits| generator.at_ms(time, bits))? {
            Ok(()) => {
                let id = self.subject.id(&self.generator);
                prop_assert!(self.issued.insert(id.bits), "twice: {id:?}");
                prop_assert_eq!((id.tick, id.tick_tock), (tick, false));
                let interval = before.saved.interval;
                prop_assert!((interval.from..interval.until).contains(&tick));
                prop_assert!(tick.cast_unsigned() < before.saved.state.first_live);
                prop_assert_eq!(self.generator.saved.state, before.saved.state, "the clock's counter");
            }
            Err(NotIssued::Refused(error)) => {
                self.untouched(&before)?;
                let accounted = match error {
                    Error::BeforeEpoch => tick < 0,
                    Error::EndOfLife => tick > self.subject.schema.scale().last(),
                    Error::OutsideInterval => tick < before.saved.interval.from || tick >= before.saved.interval.until,
                    Error::TimeTaken => {
                        tick.cast_unsigned() >= before.saved.state.first_live || tick < before.saved.backfill.highest
                    }
                    Error::SequenceFull => tick == before.saved.backfill.highest,
                    _ => false,
                };
                prop_assert!(accounted, "{error:?} for {tick} in {before:?}");
            }
            answer => prop_assert!(false, "{answer:?} for a given time"),
        }
        Ok(())
    }

    fn restart(&mut self, own_form: bool) {
        let Saved { interval, mut state, backfill, .. } = self.generator.saved;
        let values = *self.generator.values();
        let saved = Saved { interval, ..Saved::NEW };
        let mut fresh = Generator::new(self.generator.scale(), *self.generator.packing(), values, saved);
        if let (true, true, true, SequenceRule::Counter { first, last, .. }) =
            (own_form, self.subject.is_sno(), state.last == state.highest, values)
        {
            let [first, last, sequence] = [first, last, state.value].map(|value| u32::try_from(value).unwrap());
            state = made::sno_state((first, last), sequence, state.highest, state.safe, state.tick_tocks);
        }
        made::restore(&mut fresh, state, backfill);
        self.generator = fresh;
    }

    /// Whatever has happened, there is an ID again once the clock is past everything read and issued.
    fn ends_well(&mut self) -> Held {
        self.generator.saved.interval = Interval::ALL;
        let Saved { state, backfill, .. } = &self.generator.saved;
        self.clock = state.highest.max(state.last).max(backfill.highest) + 1;
        if self.clock <= self.subject.schema.scale().last() {
            let issued = self.generator.saved.stats.issued;
            self.next(&Policy::default(), false)?;
            prop_assert_eq!(self.generator.saved.stats.issued, issued + 1, "no ID after all");
        }
        Ok(())
    }
}
