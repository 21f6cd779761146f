//! Generators behind the boundary under random stories: a slot answers as the core does, but in numbers; alone, in bursts and in
//! batches, whatever other call comes in between.

use std::cell::Cell;

use graupel::abi::{BATCH, CALL_SHIFT, DATA, FIELDS, FROM_CALLER, FROM_PLATFORM};
use graupel::engine::{Full, Generator, Interval, NotIssued, Policy, SAVED, SequenceRule};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{
    Said, as_number, at, call, call_flags, filled, float, form, issued, numbers, open, put_floats, said, status,
};
use crate::check::{Held, check};
use crate::made::{Answer, InMs};
use crate::subjects::{self, Subject};
use crate::walk::{Age, Event, Source, Walk, allowed, keep, walk};

/// The metabyte of most calls, and others.
const METABYTES: [u8; 8] = [0x5A, 0x5A, 0x5A, 0x5A, 0, 1, 0x80, 0xFF];

/// Stories of each format and age: enough that both ends of life are reached, and that every format gets every kind of answer.
const STORIES: u32 = 6;

#[wasm_bindgen_test]
fn a_slot_answers_as_the_core_does() {
    for subject in subjects::all() {
        let seen = Seen::default();
        for age in [Age::First, Age::Middle, Age::Last] {
            check(STORIES, walk(Some(age)), |walk| Story::new(&subject, &walk, &seen).tell(&walk.events));
        }
        let counts = [&seen.issued, &seen.waits, &seen.refusals, &seen.backfills].map(Cell::get);
        assert!(counts.into_iter().all(|count| count > 10), "{}: {counts:?}", subject.name);
        let counter = matches!(subject.generator.values, SequenceRule::Counter { .. });
        assert_eq!(seen.batches.get() > 10, counter, "{}", subject.name);
        assert_eq!(seen.draws.get() > 10, !counter, "{}", subject.name);
        // Discord's IDs fill 64 bits.
        assert_eq!(seen.top_bits.get() > 0, subject.name == "discord", "{}", subject.name);
    }
}

/// How often the stories of a format came upon each kind of answer.
#[derive(Default)]
struct Seen {
    issued: Cell<u32>,
    batches: Cell<u32>,
    backfills: Cell<u32>,
    draws: Cell<u32>,
    waits: Cell<u32>,
    refusals: Cell<u32>,
    top_bits: Cell<u32>,
}

fn count(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// A slot, and what it must answer.
struct Pair {
    slot: u8,
    core: Generator,
}

/// Two generators of one format, which are called in turns.
struct Story<'a> {
    subject: &'a Subject,
    form: u32,
    pairs: [Pair; 2],
    /// The tick that the clock reads.
    clock: i64,
    /// The last call's tick, reading and policy: most calls are equal to the one before, as those of a burst are.
    last: (i64, f64, Policy),
    source: Source,
    seen: &'a Seen,
}

impl<'a> Story<'a> {
    fn new(subject: &'a Subject, walk: &Walk, seen: &'a Seen) -> Self {
        let mut source = walk.source.clone();
        source.pool = source.pool.min(subject.generator.values.capacity());
        let core = subject.pooled(source.pool);
        // Each pair has another slot, in which it goes on after a restart.
        (0..4).for_each(|slot| open(subject, &core, slot));
        let pairs = [0, 1].map(|slot| Pair { slot, core });
        let last = (-1, 0.0, Policy::default());
        Self { subject, form: form(subject), pairs, clock: walk.age.tick(subject), last, source, seen }
    }

    fn tell(mut self, events: &[Event]) -> Held {
        for event in events {
            let index = self.turn();
            match *event {
                Event::Clock(ticks) => self.clock += ticks,
                Event::Next { policy, keep: kept, times, waits } => {
                    self.keep(index, |values, subject| keep(subject, values, kept));
                    let policy = if self.source.draw(2) == 0 { self.last.2 } else { allowed(self.subject, policy) };
                    for _ in 0..times {
                        // Rarely, the other generator comes in between.
                        let index = if self.source.draw(8) == 0 { 1 - index } else { index };
                        self.next_or_batch(index, &policy, waits)?;
                    }
                }
                Event::At { ticks, times } => {
                    for _ in 0..times {
                        self.at(index, self.clock + ticks)?;
                    }
                }
                Event::Restart { own_form: moves } => self.restart(index, moves)?,
                Event::Interval(interval) => {
                    let ticks = interval.map_or(Interval::ALL, |(from, length)| {
                        let from = (self.clock + from).max(0);
                        Interval { from, until: from + length }
                    });
                    self.pairs[index].core.interval = ticks;
                    self.set_interval(index)?;
                }
            }
        }
        self.saved(0)?;
        self.saved(1).map(|_| ())
    }

    fn turn(&mut self) -> usize {
        usize::from(self.source.draw(2) == 0)
    }

    fn keep(&mut self, index: usize, change: impl Fn(&mut SequenceRule, &Subject) -> bool) {
        let Pair { slot, core } = &mut self.pairs[index];
        change(&mut core.values, self.subject);
        if let SequenceRule::Counter { restart, .. } = core.values {
            #[expect(clippy::cast_precision_loss)]
            call("rule", &[(*slot).into(), restart as f64]);
        }
    }

    /// The interval is among the saved numbers.
    fn set_interval(&mut self, index: usize) -> Held {
        let Pair { slot, core } = &mut self.pairs[index];
        put_floats(FIELDS, &numbers(core));
        prop_assert_eq!(status("restore", &[(*slot).into()]), 0);
        core.resume();
        Ok(())
    }

    /// Compares an answer. Waits for the clock if the call does.
    fn answered(&mut self, found: Said, answer: Answer, waits: bool) -> Held {
        prop_assert_eq!(found, Said::from(answer), "{} at {}", self.subject.name, self.clock);
        match answer {
            Ok(()) => count(&self.seen.issued),
            Err(NotIssued::Refused(_)) => count(&self.seen.refusals),
            Err(NotIssued::Draw { .. }) => count(&self.seen.draws),
            Err(NotIssued::Wait { until, .. }) => {
                count(&self.seen.waits);
                let scale = self.subject.schema.scale;
                self.clock = if waits { (until - scale.epoch()) / i64::from(scale.tick_ms()) } else { self.clock };
            }
        }
        Ok(())
    }

    fn next_or_batch(&mut self, index: usize, policy: &Policy, waits: bool) -> Held {
        let fresh = (self.clock, self.source.reading(self.subject, self.clock), *policy);
        let is_equal = self.last.0 == self.clock && self.source.draw(4) > 0;
        self.last = if is_equal { (self.last.0, self.last.1, *policy) } else { fresh };
        let (_, reading, policy) = self.last;
        let policy = match self.source.draw(16) {
            // A call that only looks equal.
            0 => Policy { max_ahead: 0, ..policy },
            1 => Policy { full: Full::Throw, ..policy },
            _ => policy,
        };
        let policy = &policy;
        let metabyte = METABYTES[usize::try_from(self.source.draw(8)).unwrap()];
        let [flags, ahead] = call_flags(policy, self.form | u32::from(metabyte) << CALL_SHIFT);
        let counts = matches!(self.subject.generator.values, SequenceRule::Counter { .. });
        if counts && self.source.draw(4) == 0 {
            return self.batch(index, reading, policy, metabyte, [flags, ahead]);
        }
        let mut bits = None;
        loop {
            let Pair { slot, core } = &mut self.pairs[index];
            let answer = core.next_ms(reading, bits, policy);
            let random = bits.map_or(if counts { FROM_PLATFORM } else { FROM_CALLER }, as_number);
            let found = said(status("next", &[(*slot).into(), reading, flags, ahead, random]));
            self.answered(found, answer, waits)?;
            match answer {
                Ok(()) => return self.same_id(index, DATA, metabyte),
                Err(NotIssued::Draw { bytes }) => bits = Some(self.source.bits(self.subject, bytes)),
                Err(_) => return Ok(()),
            }
        }
    }

    /// A batch is the IDs of as many single calls; one that is not complete has the answer of the next call.
    fn batch(&mut self, index: usize, reading: f64, policy: &Policy, metabyte: u8, [flags, ahead]: [f64; 2]) -> Held {
        let wanted = self.source.draw(12);
        let status = status("fill", &[self.pairs[index].slot.into(), reading, flags, ahead, as_number(wanted)]);
        let (found, made) = (said(status), filled());
        count(&self.seen.batches);
        for number in 0..wanted {
            let answer = self.pairs[index].core.next_ms(reading, None, policy);
            if answer != Ok(()) {
                prop_assert_eq!(made as u64, number, "of {} at {}", wanted, self.clock);
                return self.answered(found, answer, false);
            }
            let size = if self.subject.is_sno() { graupel::formats::sno::TEXT_LENGTH } else { 8 };
            self.same_id(index, BATCH + size * usize::try_from(number).unwrap(), metabyte)?;
        }
        prop_assert_eq!((found, made as u64), (Said::Issued, wanted));
        Ok(())
    }

    fn same_id(&self, index: usize, offset: usize, metabyte: u8) -> Held {
        let core = &self.pairs[index].core;
        let expected = if self.subject.is_sno() { core.whole_id(metabyte.into()) } else { core.id().into() };
        prop_assert_eq!(issued(offset, self.form), expected, "{} at {}", self.subject.name, self.clock);
        if !self.subject.is_sno() && expected >> 63 != 0 {
            count(&self.seen.top_bits);
        }
        Ok(())
    }

    fn at(&mut self, index: usize, tick: i64) -> Held {
        let time = self.source.reading(self.subject, tick);
        let metabyte = METABYTES[0];
        let flags = self.form | u32::from(metabyte) << CALL_SHIFT;
        let mut bits = None;
        loop {
            let Pair { slot, core } = &mut self.pairs[index];
            let answer = core.at_ms(time, bits);
            let found = said(at((*slot).into(), time, flags, bits.map_or(FROM_CALLER, as_number)));
            prop_assert_eq!(found, Said::from(answer), "{} for {}", self.subject.name, tick);
            match answer {
                Ok(()) => {
                    count(&self.seen.backfills);
                    return self.same_id(index, DATA, metabyte);
                }
                Err(NotIssued::Draw { bytes }) => bits = Some(self.source.bits(self.subject, bytes)),
                Err(_) => return Ok(()),
            }
        }
    }

    /// What a slot saves: the numbers of its core.
    fn saved(&self, index: usize) -> Result<Vec<f64>, TestCaseError> {
        let Pair { slot, core } = &self.pairs[index];
        prop_assert_eq!(status("save", &[(*slot).into()]), 0);
        let found: Vec<_> = (0..SAVED.len()).map(|number| float(FIELDS + 8 * number)).collect();
        prop_assert_eq!(&found, &numbers(core), "{}", self.subject.name);
        Ok(found)
    }

    /// Goes on from what the slot has saved: in it, in another slot, or merged with what the other generator has.
    fn restart(&mut self, index: usize, moves: bool) -> Held {
        let own = self.saved(index)?;
        if moves {
            self.pairs[index].slot ^= 2;
            self.keep(index, |_, _| false);
            self.set_interval(index)?;
        }
        put_floats(FIELDS, &own);
        prop_assert_eq!(status("restore", &[self.pairs[index].slot.into()]), 0);
        self.pairs[index].core.resume();
        self.saved(index)?;
        if self.source.draw(3) == 0 {
            let theirs = self.saved(1 - index)?;
            let spent = self.clock + i64::try_from(self.source.draw(6)).unwrap() - 4;
            put_floats(FIELDS, &theirs);
            let other = self.pairs[1 - index].core;
            let Pair { slot, core } = &mut self.pairs[index];
            prop_assert_eq!(status("merge", &[(*slot).into(), as_number(spent.cast_unsigned())]), 0);
            core.merge(&other.state, &other.backfill, spent);
            self.saved(index)?;
            // The other generator keeps its own.
            self.saved(1 - index)?;
        }
        Ok(())
    }
}
