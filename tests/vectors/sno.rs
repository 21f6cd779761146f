//! sno: reading and writing, order, refusals, and its generators.

use std::collections::HashSet;

use graupel::Located;
use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy};
use graupel::formats::sno::{self, FORMAT};
use serde_json::Value;

use super::codec;
use super::data::{self, File, Item, big_endian, hex, list, number};
use super::tally::{self, Check, Core, Package, agrees, deviates, equal, holds};
use super::trace::{Player, Step, play};
use crate::made::{self, InMs};

#[test]
fn vectors() {
    let file = File::read("sno");
    assert_eq!(FORMAT.epoch, file.head("epoch").as_i64());
    assert_eq!(i64::from(FORMAT.tick_ms), number(file.head("tickMs")));
    // The package completes and checks the bounds, has the queue, and draws the partition of a process.
    let package = |_: Item<'_>| Ok(Package);
    tally::run(
        "sno",
        &[
            ("codec", codec),
            ("compare", compare),
            ("sort", sort),
            ("invalid", invalid),
            ("new_with_time", new_with_time),
            ("traces", trace),
            ("bounds", package),
            ("overflow_notifications", package),
            ("auto_partition", package),
        ],
    );
}

/// ID to text.
fn text(id: u128) -> String {
    let mut text = [0; sno::TEXT_LENGTH];
    sno::format(id, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn codec(item: Item<'_>) -> Check {
    let id = big_endian(&hex(item.text("hex")));
    equal("text", text(id).as_str(), item.text("text"))?;
    let bytes = item.text("text").as_bytes().try_into().map_err(|_| "another length")?;
    equal("parsed", sno::parse(bytes), Ok(id))?;
    let schema = FORMAT.schema(None).map_err(|error| format!("{error:?}"))?;
    let fields = ["ticks", "tickTock", "metabyte", "partition", "sequence"].map(|field| item.unsigned(field));
    codec::codec(item, &schema, id, &fields)
}

fn compare(item: Item<'_>) -> Check {
    let [a, b] = ["a", "b"].map(|side| big_endian(&hex(item.text(side))));
    let order = |ordering: std::cmp::Ordering| ordering as i64;
    equal("order", order(a.cmp(&b)), item.number("result"))?;
    equal("order as text", order(text(a).cmp(&text(b))), item.number("result"))?;
    Ok(Core)
}

fn sort(item: Item<'_>) -> Check {
    let ids = |column| item.list(column).iter().map(|id| text(big_endian(&hex(data::text(id))))).collect();
    let (mut input, sorted): (Vec<String>, Vec<String>) = (ids("input"), ids("sorted"));
    input.sort();
    equal("sorted", input, sorted)?;
    Ok(Core)
}

/// The core has texts of the right length: no bytes, and no types of databases.
fn invalid(item: Item<'_>) -> Check {
    let input = item.get("input").as_str().unwrap_or_default();
    let text = match (item.text("op"), item.get("type").as_str()) {
        ("from_encoded_string", _) | ("sql_scan", Some("string")) => input.to_owned(),
        ("unmarshal_json", _) => serde_json::from_str::<String>(input).unwrap_or_default(),
        _ => return Ok(Package),
    };
    let Ok(text) = text.as_bytes().try_into() else { return Ok(Package) };
    let found = sno::parse(text);
    if let Err(Located { position, .. }) = found {
        let first = text.iter().position(|byte| !matches!(byte, b'2'..=b'9' | b'a'..=b'x'));
        equal("position", Some(position), first)?;
    }
    // The reference does not check texts ("accepted"): whatever they become is no ID.
    let recorded = if item.text("result") == "error" { None } else { item.get("hex").as_str().or(Some("unchecked")) };
    agrees(item, found.map(|id| format!("{id:020x}")).map_err(|refused| refused.error), recorded)
}

fn small<T: TryFrom<i64>>(value: i64) -> Result<T, String> {
    T::try_from(value).map_err(|_| format!("{value} is too large"))
}

fn bounds(item: Item<'_>) -> Result<(u32, u32), String> {
    Ok((small(item.number("sequenceMin"))?, small(item.number("sequenceMax"))?))
}

/// IDs for given times, from their own counter.
fn new_with_time(item: Item<'_>) -> Check {
    let mut generator = made::sno(small(item.number("partition"))?, bounds(item)?);
    let (mut seen, mut differed) = (HashSet::new(), false);
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        // Unix ms with three decimals, rounded down: a number cannot hold all nanoseconds.
        #[expect(clippy::cast_precision_loss)]
        let ms = data::integer(&step[0]).div_euclid(1000) as f64 / 1000.0;
        let found = match generator.at_ms(ms, None) {
            Ok(()) => {
                let id = text(generator.whole_id(small(number(&step[1]))?));
                holds("an ID was repeated", seen.insert(id.clone()))?;
                id
            }
            Err(NotIssued::Refused(error)) => error.name().to_owned(),
            answer => return Err(format!("step {index}: {answer:?}")),
        };
        let here = step.get(3).map(|differs| &differs["here"]);
        equal(&format!("step {index}"), found.as_str(), data::text(here.unwrap_or(&step[2])))?;
        differed |= here.is_some();
    }
    deviates(item, differed)
}

/// A trace, from the reference's snapshot; sometimes restored from the generator's own state.
fn trace(item: Item<'_>) -> Check {
    let bounds = bounds(item)?;
    if bounds.0 >= bounds.1 {
        // The package completes and orders the bounds.
        return Ok(Package);
    }
    let partition = small(item.number("partition"))?;
    let mut generator = made::sno(partition, bounds);
    let sequence = match small(item.number("sequence"))? {
        // None yet is the lower bound.
        0 => bounds.0,
        sequence => sequence,
    };
    let [highest, safe] = ["wallHi", "wallSafe"].map(|name| item.number(name));
    generator.state = made::sno_state(bounds, sequence, highest, safe, item.unsigned("drifts"));
    let policy = Policy { backwards: Backwards::TickTock, full: Full::Wait, max_ahead: 0 };
    let start = generator.scale.timestamp(item.number("start"));
    let write = |generator: &Generator, metabyte: u64| text(generator.whole_id(metabyte));
    play(item, Player::new(generator, policy, start, write), |player, op, step| match op {
        "observe" => {
            equal("capacity", i64::from(bounds.1 - bounds.0 + 1), number(&step.rest[3]))?;
            state(player, step, &step.rest[4..])
        }
        "restore" => {
            state(player, step, &step.rest[2..])?;
            // A new generator from this one's state, as after a restart.
            let state = player.generator.state;
            let sequence = u32::try_from(state.value).map_err(|error| error.to_string())?;
            player.generator = made::sno(partition, bounds);
            player.generator.state = made::sno_state(bounds, sequence, state.highest, state.safe, state.tick_tocks);
            Ok(())
        }
        op => Err(format!("unknown step {op}")),
    })
}

/// Compares the state with a snapshot's sequence, and with its `drifts, wallHi, wallSafe`.
fn state(player: &mut Player, step: &Step<'_>, rest: &[Value]) -> Result<(), String> {
    let state = player.generator.state;
    equal("drifts", state.tick_tocks.cast_signed(), number(&rest[0]))?;
    equal("wallHi", state.highest, number(&rest[1]))?;
    equal("wallSafe", state.safe, number(&rest[2]))?;
    equal("sequence", state.value.cast_signed(), number(player.wanted(&step.rest[1], step)))
}
