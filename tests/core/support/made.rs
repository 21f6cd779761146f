//! Schemas, rules and generators for tests. The package checks what a user may declare, and
//! tests/js tests it.

use graupel::engine::alphabet::Base32;
use graupel::engine::{
    Backfill, Generator, Layout, NotIssued, Policy, Restart, Rounding, Saved, Schema, SequenceRule, State, low_bits,
};
use graupel::formats::{Format, sno, snowflake_si};

/// The answer of a call: an ID, or the reason why there is none.
pub type Answer = Result<(), NotIssued>;

/// Calls of a generator in Unix ms, as at the boundary, including the time to wait for.
pub trait InMs {
    /// [`Generator::next`].
    fn next_ms(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer;
    /// [`Generator::at`].
    fn at_ms(&mut self, unix_ms: f64, random: Option<u64>) -> Answer;
}

impl InMs for Generator {
    fn next_ms(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer {
        let tick = self.scale().tick(unix_ms)?;
        self.next(tick, random, policy).map_err(|why| match why {
            NotIssued::Wait { until, cause } => NotIssued::Wait { until: self.scale().timestamp(until), cause },
            _ => why,
        })
    }

    fn at_ms(&mut self, unix_ms: f64, random: Option<u64>) -> Answer {
        let tick = self.scale().tick(unix_ms)?;
        self.at(tick, random)
    }
}

/// Fields to integer; `values` high to low.
pub fn pack(layout: &Layout, values: &[u64]) -> u128 {
    layout.pack(values.iter().copied())
}

/// The fields of an integer, high to low.
pub fn unpack(layout: &Layout, id: u128) -> Vec<u64> {
    layout.values(id).collect()
}

/// An ID in a text form.
pub fn text(form: &Base32, id: u128) -> String {
    let [first, last] = form.parts(id).map(u64::to_le_bytes);
    let mut text = vec![0; form.length()];
    text[..8].copy_from_slice(&first);
    text[form.length() - 8..].copy_from_slice(&last);
    String::from_utf8(text).unwrap()
}

/// A generator that has issued nothing. `fixed`: one value for each field, high to low; 0 for the time and the sequence.
pub fn generator(schema: &Schema, fixed: &[u64], values: SequenceRule) -> Generator {
    let fixed = low_bits(pack(schema.layout(), fixed));
    Generator::new(schema.scale(), schema.packing(fixed), values, Saved::NEW)
}

/// A generator of a format with an epoch of its own, which starts every tick at 0. `fixed`: the fields that are neither the time nor the
/// sequence.
pub fn of(format: &Format, fixed: &[u64]) -> Generator {
    let schema = format.schema(None).unwrap();
    let mut fixed = fixed.to_vec();
    fixed.insert(0, 0);
    fixed.insert(format.sequence, 0);
    generator(&schema, &fixed, counter(&schema, format.sequence))
}

/// Another generator of the same identity, with other values in its ticks.
pub fn with(schema: &Schema, generator: &Generator, values: SequenceRule) -> Generator {
    Generator::new(schema.scale(), *generator.packing(), values, generator.saved)
}

/// Continues from its own history and another one, without repeating either; see [`Saved::merge`].
pub fn merge(generator: &mut Generator, state: &State, backfill: &Backfill, spent: i64) {
    let mut saved = generator.saved;
    saved.merge(state, backfill, spent, generator.values().largest());
    generator.restore(&saved);
}

/// A custom layout: the widths, high to low, and the index of the sequence.
pub fn declared(widths: &[u8], sequence: usize, epoch: i64, tick_ms: u32) -> Schema {
    Schema::new(Layout::new(widths).unwrap(), sequence, epoch, tick_ms, false, Rounding::Floor).unwrap()
}

/// Snowflake-SI with other widths; with a machine of 0 bits there is no such field.
pub fn snowflake_si(epoch: i64, [clock, machine, sequence]: [u8; 3]) -> Schema {
    let (widths, counts): (&[u8], _) =
        if machine == 0 { (&[clock, sequence], 1) } else { (&[clock, machine, sequence], 2) };
    declared(widths, counts, epoch, snowflake_si::FORMAT.tick_ms)
}

/// A counter in the field `sequence` that starts every tick at 0.
pub fn counter(schema: &Schema, sequence: usize) -> SequenceRule {
    SequenceRule::counter(0, schema.layout().place(sequence).unwrap().max(), Restart::ALWAYS).unwrap()
}

/// A Ulid-Flake generator; `step` is its entropy size in bytes.
pub fn ulid_flake(format: &Format, epoch: Option<i64>, scalability: u64, step: u64) -> Generator {
    let schema = format.schema(epoch).unwrap();
    let max = schema.layout().place(format.sequence).unwrap().max();
    let values = SequenceRule::random(max, format.start_bytes().into(), step).unwrap();
    let fixed = [0, 0, scalability];
    generator(&schema, &fixed[..format.fields.len()], values)
}

/// A sno generator with sequence bounds. As in the reference, tick 0 counts as begun.
pub fn sno(partition: u16, bounds: (u32, u32)) -> Generator {
    let values = SequenceRule::counter(bounds.0.into(), bounds.1.into(), Restart::ALWAYS).unwrap();
    let mut generator = generator(&sno::FORMAT.schema(None).unwrap(), &[0, 0, 0, partition.into(), 0], values);
    generator.saved.state = sno_state(bounds, bounds.0, 0, 0, 0);
    generator
}

/// The state after a sno with this sequence, whose tick is the highest reading.
pub fn sno_state(bounds: (u32, u32), sequence: u32, highest: i64, safe: i64, tick_tocks: u64) -> State {
    let left = u64::from(bounds.1.saturating_sub(sequence));
    // The issued ticks are unknown, so the backfill counter must not issue any.
    let first_live = if highest > 0 || sequence > bounds.0 { 0 } else { State::NOT_LIVE };
    State { highest, last: highest, value: sequence.into(), left, safe, tick_tocks, first_live }
}
