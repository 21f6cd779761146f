//! Plays the scripts of clock stories with a generator. `tests/stories/README.md` describes scripts
//! and answers.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use graupel::Error;
use graupel::engine::{Backfill, Backwards, Full, Generator, NotIssued, Policy, Saved, SequenceRule, State};

use crate::made::{self, Answer, InMs};
use crate::subjects::{FormatUnderTest, POOL};

/// How long after the start of their tick's last millisecond readings are: a fraction that Mastodon
/// does not round up.
const FRACTION_MS: f64 = 0.25;

/// More waits in one call than any story needs.
const MOST_WAITS: usize = 5;

/// A policy by its name, as in `hold/borrow`.
pub fn policy(name: &str, max_ahead: i64) -> Policy {
    let (one, other) = name.split_once('/').unwrap_or_else(|| panic!("no policy: {name}"));
    let backwards = Backwards::WORDS.into_iter().find(|(_, word)| *word == one).unwrap().0;
    let full = Full::WORDS.into_iter().find(|(_, word)| *word == other).unwrap().0;
    Policy { backwards, full, max_ahead }
}

/// Whether the values within a tick are random.
pub fn is_random(subject: &FormatUnderTest) -> bool {
    matches!(subject.generator.values(), SequenceRule::Random { .. })
}

fn word(error: Error) -> &'static str {
    match error {
        Error::ClockBackwards => "back",
        Error::SequenceFull => "full",
        Error::TimeTaken => "taken",
        Error::OutsideInterval => "outside",
        Error::BeforeEpoch => "before",
        Error::EndOfLife => "ended",
        other => panic!("{other:?} is no answer of a generator"),
    }
}

/// One word of the answer.
enum Heard {
    /// Consecutive IDs of one tick.
    Ids { waited: String, given: bool, tick: i64, tick_tock: bool, first: u64, last: u64 },
    /// An error, or a wait that was given up.
    Word(String),
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Ids { waited, given, tick, tick_tock, first, last } => {
                write!(f, "{waited}{}{tick}.{first}", if *given { "@" } else { "" })?;
                if last > first {
                    write!(f, "-{last}")?;
                }
                f.write_str(if *tick_tock { "'" } else { "" })
            }
        }
    }
}

/// A generator in a story.
pub struct Player<'a> {
    subject: &'a FormatUnderTest,
    generator: Generator,
    /// Of the story, and of the calls that follow.
    told: Policy,
    policy: Policy,
    /// The tick that the script calls 0.
    origin: i64,
    saved: HashMap<String, (State, Backfill)>,
    heard: Vec<Heard>,
}

impl<'a> Player<'a> {
    pub fn new(subject: &'a FormatUnderTest, generator: Generator, policy: Policy, origin: i64) -> Self {
        Self { subject, generator, told: policy, policy, origin, saved: HashMap::new(), heard: Vec::new() }
    }

    /// Plays a script to its end. Returns the answers.
    pub fn play(mut self, script: &str) -> String {
        for call in script.split_whitespace() {
            let (call, times) = call.split_once('*').map_or((call, 1), |(call, times)| (call, times.parse().unwrap()));
            for _ in 0..times {
                self.call(call);
            }
        }
        self.heard.iter().map(Heard::to_string).collect::<Vec<_>>().join(" ")
    }

    fn call(&mut self, call: &str) {
        if let Some(tick) = call.strip_prefix('@') {
            self.at(tick.parse().unwrap());
        } else if call == "restart" {
            self.restart();
        } else if call == "stats" {
            self.say(self.stats());
        } else if call == "fresh" {
            self.generator = self.fresh();
        } else if let Some(name) = call.strip_prefix("save:") {
            self.saved.insert(name.into(), self.state());
        } else if let Some(name) = call.strip_prefix("merge:") {
            let (state, backfill) = self.saved[name];
            made::merge(&mut self.generator, &state, &backfill, -1);
        } else if let Some(tick) = call.strip_prefix("spend:") {
            let spent = self.origin + tick.parse::<i64>().unwrap() - 1;
            let (state, backfill) = self.state();
            made::merge(&mut self.generator, &state, &backfill, spent);
        } else if call == "told" {
            self.policy = self.told;
        } else if call.contains('/') {
            self.policy = policy(call, self.policy.max_ahead);
        } else if let Some(reading) = call.strip_suffix('?') {
            self.next(reading.parse().unwrap(), false);
        } else {
            self.next(call.parse().unwrap(), true);
        }
    }

    /// The reading late in a tick of the script.
    #[expect(clippy::cast_precision_loss)]
    fn late(&self, tick: i64) -> f64 {
        let scale = &self.subject.schema.scale();
        let next = scale.timestamp(self.origin + tick + 1);
        (next - 1) as f64 + FRACTION_MS
    }

    fn next(&mut self, tick: i64, waits: bool) {
        let mut text = String::new();
        let mut now = self.late(tick);
        for _ in 0..MOST_WAITS {
            let answer = self.subject.draws(|bits| self.generator.next_ms(now, bits, &self.policy));
            match answer {
                Ok(()) => return self.issued(text, false),
                Err(NotIssued::Refused(error)) => return self.say(text + word(error)),
                Err(NotIssued::Wait { until, cause }) => {
                    let _ = write!(text, "{}~{}", word(cause), self.name_of(until));
                    if !waits {
                        return self.say(text);
                    }
                    text.push('=');
                    now = self.wait(now, until, answer);
                }
                Err(NotIssued::Draw { .. }) => unreachable!("`draws` answers these"),
            }
        }
        panic!("{text} goes on for ever");
    }

    /// The tick that starts at `until`, in the script's numbering.
    fn name_of(&self, until: i64) -> i64 {
        let scale = &self.subject.schema.scale();
        let since = until - scale.epoch();
        assert_eq!(since % i64::from(scale.tick_ms()), 0, "{until} is not the start of a tick");
        since / i64::from(scale.tick_ms()) - self.origin
    }

    /// Moves the clock to `until`. One tick earlier, the answer must still be the same wait, so no
    /// call waits longer than necessary.
    #[expect(clippy::cast_precision_loss)]
    fn wait(&mut self, now: f64, until: i64, answer: Answer) -> f64 {
        let until = until as f64;
        assert!(until > now, "waits for {until}, which has passed: it is {now}");
        let before = until - f64::from(self.subject.schema.scale().tick_ms());
        if before > now {
            let mut core = self.generator;
            let early = self.subject.draws(|bits| core.next_ms(before, bits, &self.policy));
            assert_eq!(early, answer, "a tick before it is time");
        }
        until
    }

    fn at(&mut self, tick: i64) {
        let time = self.late(tick);
        let before = self.generator;
        match self.subject.draws(|bits| self.generator.at_ms(time, bits)) {
            Ok(()) => self.issued(String::new(), true),
            Err(NotIssued::Refused(error)) => {
                assert_eq!(self.generator, before, "a refused at() left a trace");
                self.say(format!("@{}", word(error)));
            }
            answer => panic!("at() answered {answer:?}"),
        }
    }

    /// A generator of the story that has issued nothing.
    fn fresh(&self) -> Generator {
        let core = &self.generator;
        let fresh = self.subject.pooled(POOL);
        let saved = Saved { interval: core.saved.interval, ..fresh.saved };
        Generator::new(core.scale(), *core.packing(), *core.values(), saved)
    }

    /// A snapshot keeps the two counters. Everything else comes from the options.
    fn restart(&mut self) {
        let mut fresh = self.fresh();
        let (state, backfill) = self.state();
        fresh.restore(&Saved { state, backfill, ..fresh.saved });
        self.generator = fresh;
    }

    fn state(&self) -> (State, Backfill) {
        let Saved { state, backfill, .. } = self.generator.saved;
        (state, backfill)
    }

    /// The counters that are not 0.
    fn stats(&self) -> String {
        let Saved { stats, state, .. } = self.generator.saved;
        let ahead = if state.highest > 0 { state.last - state.highest } else { 0 };
        let counters = [
            ("issued", i64::try_from(stats.issued).unwrap()),
            ("back", i64::try_from(stats.regressions).unwrap()),
            ("by", stats.largest_regression),
            ("full", i64::try_from(stats.overflows).unwrap()),
            ("ahead", ahead),
        ];
        let words = counters.iter().filter(|(_, count)| *count != 0).map(|(name, count)| format!("{name}={count}"));
        format!("({})", words.collect::<Vec<_>>().join(","))
    }

    fn issued(&mut self, waited: String, given: bool) {
        let (tick, value, tick_tock) = self.subject.latest(&self.generator);
        let (first, tick) = (self.index(value), tick - self.origin);
        match self.heard.last_mut() {
            Some(Heard::Ids { given: before, tick: old, tick_tock: bit, last, .. })
                if waited.is_empty() && (*before, *old, *bit, *last + 1) == (given, tick, tick_tock, first) =>
            {
                *last = first;
            }
            _ => self.heard.push(Heard::Ids { waited, given, tick, tick_tock, first, last: first }),
        }
    }

    /// How many IDs of its tick came before one with this value.
    fn index(&self, value: u64) -> u64 {
        match *self.generator.values() {
            SequenceRule::Counter { first, .. } => value - first,
            ref random => value - (random.largest() - (POOL - 1)),
        }
    }

    fn say(&mut self, text: String) {
        self.heard.push(Heard::Word(text));
    }
}
