//! Schemas, rules and generators for tests. What a user may declare is checked by the package, and by its tests in tests/js.

use graupel::engine::{Generator, Layout, NotIssued, Policy, Rounding, Schema, SequenceRule, State};
use graupel::formats::{Format, sno, snowflake_si};

/// What a call answers: an ID, or why there is none.
pub type Answer = Result<(), NotIssued>;

/// Calls of a generator in Unix ms, as at the boundary: also the time to wait for.
pub trait InMs {
    /// [`Generator::next`].
    fn next_ms(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer;
    /// [`Generator::at`].
    fn at_ms(&mut self, unix_ms: f64, random: Option<u64>) -> Answer;
}

impl InMs for Generator {
    fn next_ms(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer {
        let tick = self.scale.tick(unix_ms)?;
        self.next(tick, random, policy).map_err(|why| match why {
            NotIssued::Wait { until, cause } => NotIssued::Wait { until: self.scale.timestamp(until), cause },
            _ => why,
        })
    }

    fn at_ms(&mut self, unix_ms: f64, random: Option<u64>) -> Answer {
        let tick = self.scale.tick(unix_ms)?;
        self.at(tick, random)
    }
}

/// A layout of any widths, high to low.
pub fn layout(widths: &[u8]) -> Layout {
    let mut layout = Layout::NONE;
    layout.set(widths);
    layout
}

/// A layout of one's own: widths high to low, and which field is the sequence.
pub fn declared(widths: &[u8], sequence: usize, epoch: i64, tick_ms: u32) -> Schema {
    let mut schema = Schema::NONE;
    schema.set(widths, sequence, epoch, tick_ms, true, Rounding::Floor);
    schema
}

/// Snowflake-SI with other widths; with a machine of 0 bits there is no such field.
pub fn snowflake_si(epoch: i64, [clock, machine, sequence]: [u8; 3]) -> Schema {
    let (widths, counts): (&[u8], _) =
        if machine == 0 { (&[clock, sequence], 1) } else { (&[clock, machine, sequence], 2) };
    declared(widths, counts, epoch, snowflake_si::FORMAT.tick_ms)
}

/// A counter that restarts in a new tick once its next value would be at least `restart`.
pub fn counter(schema: &Schema, restart: u64) -> SequenceRule {
    SequenceRule::Counter { first: 0, last: schema.layout.max(schema.sequence), restart }
}

/// The `restart` of a counter that a new tick continues.
pub const KEPT: u64 = u64::MAX;

/// A Ulid-Flake generator; `step` is its entropy size in bytes.
pub fn ulid_flake(format: &Format, epoch: Option<i64>, scalability: u64, step: u64) -> Generator {
    let schema = format.schema(epoch).unwrap();
    let max = schema.layout.max(schema.sequence);
    let values = SequenceRule::Random { max, start: format.start_bytes().into(), step };
    schema.generator(&[0, 0, scalability], values).unwrap()
}

/// A sno generator with sequence bounds. As in the reference, tick 0 counts as begun.
pub fn sno(partition: u16, bounds: (u32, u32)) -> Generator {
    let values = SequenceRule::Counter { first: bounds.0.into(), last: bounds.1.into(), restart: 0 };
    let mut generator = sno::FORMAT.schema(None).unwrap().generator(&[0, 0, 0, partition.into(), 0], values).unwrap();
    generator.state = sno_state(bounds, bounds.0, 0, 0, 0);
    generator
}

/// The state after a sno with this sequence, whose tick is the highest reading.
pub fn sno_state(bounds: (u32, u32), sequence: u32, highest: i64, safe: i64, tick_tocks: u64) -> State {
    let left = u64::from(bounds.1.saturating_sub(sequence));
    // Which ticks were issued is unknown, so the backfill counter must not issue any.
    let first_live = if highest > 0 || sequence > bounds.0 { 0 } else { State::NOT_LIVE };
    State { highest, last: highest, value: sequence.into(), left, safe, tick_tocks, first_live }
}
