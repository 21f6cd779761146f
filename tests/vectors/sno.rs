//! sno: reading and writing, order, refusals, configuration. Its generators are in `sno_generator.rs`.

use graupel::Error;
use graupel::formats::sno::{self, FORMAT};

use super::data::{self, File, Item, big_endian, hex, list, number};
use super::sno_generator as generator;
use super::tally::{Check, Met, Stands, Tally, equal};

/// Every section.
pub fn all() -> Tally {
    let mut tally = Tally::new(File::read("sno"));
    assert_eq!(FORMAT.epoch, tally.file().head("epoch").as_i64());
    assert_eq!(i64::from(FORMAT.tick_ms), number(tally.file().head("tickMs")));
    tally.section("codec", codec);
    tally.section("compare", compare);
    tally.section("sort", sort);
    tally.section("invalid", invalid);
    tally.section("bounds", bounds);
    tally.section("new_with_time", generator::new_with_time);
    tally.section("traces", generator::trace);
    tally.section("overflow_notifications", overflow_notifications);
    // Automatic partitions belong to a process, not to the core.
    tally.section("auto_partition", |_| Ok(Stands("outside-core")));
    tally
}

/// ID to text.
pub fn text(id: u128) -> String {
    let mut text = [0; sno::TEXT_LENGTH];
    sno::format(id, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn codec(item: Item<'_>) -> Check {
    let id = big_endian(&hex(item.text("hex")));
    equal("text", text(id).as_str(), item.text("text"))?;
    equal("parsed", sno::parse(item.text("text").as_bytes()), Ok(id))?;
    let schema = sno::schema().map_err(|error| format!("{error:?}"))?;
    let wanted = ["ticks", "tickTock", "metabyte", "partition", "sequence"].map(|field| item.unsigned(field));
    let mut fields = [0; 5];
    equal("inspect", schema.inspect(id, &mut fields), Ok(()))?;
    equal("fields", fields, wanted)?;
    equal("composed", schema.compose(&fields), Ok(id))?;
    equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    Ok(Met)
}

fn compare(item: Item<'_>) -> Check {
    let [a, b] = ["a", "b"].map(|side| big_endian(&hex(item.text(side))));
    let order = |ordering: std::cmp::Ordering| ordering as i64;
    equal("order", order(a.cmp(&b)), item.number("result"))?;
    equal("order as text", order(text(a).cmp(&text(b))), item.number("result"))?;
    Ok(Met)
}

fn sort(item: Item<'_>) -> Check {
    let ids = |column| item.list(column).iter().map(|id| text(big_endian(&hex(data::text(id))))).collect();
    let (mut input, sorted): (Vec<String>, Vec<String>) = (ids("input"), ids("sorted"));
    input.sort();
    equal("sorted", input, sorted)?;
    Ok(Met)
}

fn invalid(item: Item<'_>) -> Check {
    match item.text("op") {
        "from_encoded_string" => from_encoded_string(item),
        "unmarshal_json" => unmarshal_json(item),
        "sql_scan" if item.get("type").as_str() == Some("string") => sql_string(item),
        // The core has no bytes and no types of databases.
        _ => Ok(Stands("outside-core")),
    }
}

/// The error of a text that is not canonical.
fn refusal(text: &str) -> Result<Error, String> {
    sno::parse(text.as_bytes()).err().ok_or_else(|| "was accepted".to_owned())
}

fn from_encoded_string(item: Item<'_>) -> Check {
    let input = item.text("input");
    match refusal(input)? {
        Error::Length { found } => {
            equal("length", found, input.len())?;
            equal("result", item.text("result"), "error")?;
            Ok(Met)
        }
        Error::Character { at } => {
            let first = input.bytes().position(|byte| !matches!(byte, b'2'..=b'9' | b'a'..=b'x'));
            equal("position", Some(at), first)?;
            equal("result", item.text("result"), "accepted")?;
            Ok(Stands("sno-strict-text"))
        }
        error => Err(format!("{error:?}")),
    }
}

fn unmarshal_json(item: Item<'_>) -> Check {
    // A JSON string is parsed; any other value is not an ID.
    if let Ok(serde_json::Value::String(text)) = serde_json::from_str(item.text("input")) {
        refusal(&text)?;
    }
    Ok(match (item.text("result"), item.text("input")) {
        ("error", _) => Met,
        (_, "null") => Stands("sno-json-zero"),
        _ => Stands("sno-strict-text"),
    })
}

fn sql_string(item: Item<'_>) -> Check {
    let (input, wanted) = (item.text("input"), item.get("hex").as_str());
    match (sno::parse(input.as_bytes()), wanted) {
        (Ok(id), Some(wanted)) => equal("ID", id, big_endian(&hex(wanted))).map(|()| Met),
        (Err(Error::Length { .. }), None) => Ok(Met),
        (Err(Error::Length { found: 0 }), Some(_)) => Ok(Stands("sno-strict-text")),
        (found, _) => Err(format!("{found:?}")),
    }
}

fn bounds(item: Item<'_>) -> Check {
    let bound = |column| u32::try_from(item.number(column)).map_err(|error| error.to_string());
    let found = sno::bounds(bound("sequenceMin")?, bound("sequenceMax")?);
    let effective = (bound("effectiveMin")?, bound("effectiveMax")?);
    let state = || sno::state(effective, bound("sequence").unwrap_or(0), 0, 0, 0);
    match item.get("error").as_str() {
        None => {
            equal("bounds", found, Ok(effective))?;
            equal("sequence", state().map(|state| state.value), Ok(item.unsigned("effectiveSequence")))?;
            let generator = sno::generator(0, effective).map_err(|error| format!("{error:?}"))?;
            equal("capacity", generator.values.capacity(), item.unsigned("capacity"))?;
            Ok(Met)
        }
        Some("small") if effective.1 - effective.0 + 1 >= sno::SMALLEST_POOL => {
            equal("bounds", found, Ok(effective))?;
            Ok(Stands("sno-pool-of-4"))
        }
        Some("small") => equal("bounds", found, Err(Error::Range { field: 1 })).map(|()| Met),
        Some("identical") => equal("bounds", found, Err(Error::Conflict)).map(|()| Met),
        Some("underflow") => {
            equal("bounds", found, Ok(effective))?;
            equal("state", state().err(), Some(Error::Range { field: 0 }))?;
            Ok(Met)
        }
        error => Err(format!("unknown error {error:?}")),
    }
}

/// The core's part: at which ticks of a stall there is a notification.
fn overflow_notifications(item: Item<'_>) -> Check {
    let mut stands = None;
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        let ticks = u32::try_from(index + 1).map_err(|error| error.to_string())?;
        let waiting = u32::try_from(number(&step[0])).map_err(|error| error.to_string())?;
        let found = sno::notifies(ticks, waiting).then_some((i64::from(waiting), i64::from(ticks)));
        let wanted = step.get(2).map(|count| (number(count), number(&step[3])));
        if found == wanted {
            continue;
        }
        if item.tagged("receiver-sometimes-not-ready") {
            stands = Some("sno-receiver");
        } else if item.id() == generator::LATE_ITEM {
            stands = Some("sno-late-tick");
        } else {
            return Err(format!("tick {ticks}: found {found:?}, wanted {wanted:?}"));
        }
    }
    Ok(stands.map_or(Met, Stands))
}
