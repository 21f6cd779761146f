//! Runs a generator through a step of a trace: the clock's readings in order, then the last one again.

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy};
use serde_json::Value;

use super::data;
use crate::made::InMs;

/// The most readings of one call: ends a call that would wait forever.
const READINGS: usize = 100;

/// The readings of a step, as Unix ms: one, or a list, each in units of `tick_ms` after `start`.
#[expect(clippy::cast_precision_loss)]
pub fn readings(value: &Value, start: i64, tick_ms: i64) -> Vec<f64> {
    let reading = |value: &Value| (start + data::number(value) * tick_ms) as f64;
    value.as_array().map_or_else(|| vec![reading(value)], |list| list.iter().map(reading).collect())
}

/// The last reading, in whole Unix ms.
#[expect(clippy::cast_possible_truncation)]
pub fn last(readings: &[f64]) -> i64 {
    readings[readings.len() - 1] as i64
}

/// One call: waits by taking the next reading, and draws from `random` (each entry is one draw).
///
/// `Ok(Err(_))` is the generator's refusal. `Err(_)` is a call that differs from the script: a wait that the last reading does not
/// end, a draw of another size than listed, or one draw too many.
pub fn next(
    generator: &mut Generator,
    readings: &[f64],
    random: &[Vec<u8>],
    policy: &Policy,
) -> Result<Result<(), Error>, String> {
    let mut clock = readings.iter().chain(std::iter::repeat(&readings[readings.len() - 1])).take(READINGS).copied();
    let mut draws = random.iter();
    let mut now = clock.next().unwrap_or_default();
    let mut bits = None;
    loop {
        match generator.next_ms(now, bits, policy) {
            Ok(()) | Err(NotIssued::Refused(Error::SequenceFull)) if draws.next().is_some() => {
                return Err("did not use all of the randomness".to_owned());
            }
            Ok(()) => return Ok(Ok(())),
            Err(NotIssued::Refused(error)) => return Ok(Err(error)),
            Err(NotIssued::Draw { bytes }) => {
                let draw = draws.next().ok_or_else(|| "drew more often than listed".to_owned())?;
                super::tally::equal("bytes drawn", bytes, draw.len() as u64)?;
                bits = u64::try_from(data::big_endian(draw)).ok();
            }
            Err(NotIssued::Wait { until, cause }) => {
                #[expect(clippy::cast_precision_loss)]
                let reached = clock.find(|&reading| reading >= until as f64);
                now = reached.ok_or_else(|| format!("waits for {until} ({cause:?}), which the clock never reads"))?;
                bits = None;
            }
        }
    }
}
