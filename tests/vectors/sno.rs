//! sno: reading and writing, order, refusals, configuration. Its generators are in `sno_generator.rs`.

use graupel::formats::sno::{self, FORMAT};
use graupel::{Error, Located};

use super::data::{self, File, Item, big_endian, hex, number};
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
    tally.section("new_with_time", generator::new_with_time);
    tally.section("traces", generator::trace);
    // The package completes and checks the bounds, has the queue, and draws the partition of a process.
    for section in ["bounds", "overflow_notifications", "auto_partition"] {
        tally.section(section, |_| Ok(Stands("outside-core")));
    }
    tally
}

/// The characters of a text that has the right length.
pub fn bytes(text: &str) -> [u8; sno::TEXT_LENGTH] {
    text.as_bytes().try_into().unwrap_or_else(|_| panic!("{text} has another length"))
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
    equal("parsed", sno::parse(&bytes(item.text("text"))), Ok(id))?;
    let schema = FORMAT.schema(None).map_err(|error| format!("{error:?}"))?;
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
fn refusal(text: &[u8; sno::TEXT_LENGTH]) -> Result<Located, String> {
    sno::parse(text).err().ok_or_else(|| "was accepted".to_owned())
}

fn from_encoded_string(item: Item<'_>) -> Check {
    let input = item.text("input");
    // The package checks lengths.
    let Ok(text) = input.as_bytes().try_into() else { return Ok(Stands("outside-core")) };
    let first = input.bytes().position(|byte| !matches!(byte, b'2'..=b'9' | b'a'..=b'x'));
    let Located { error, position } = refusal(text)?;
    equal("refusal", (error, Some(position)), (Error::Character, first))?;
    equal("result", item.text("result"), "accepted")?;
    Ok(Stands("sno-strict-text"))
}

fn unmarshal_json(item: Item<'_>) -> Check {
    // A JSON string is parsed; any other value is not an ID.
    if let Ok(serde_json::Value::String(text)) = serde_json::from_str(item.text("input")) {
        let Ok(text) = text.as_bytes().try_into() else { return Ok(Stands("outside-core")) };
        refusal(text)?;
    }
    Ok(match (item.text("result"), item.text("input")) {
        ("error", _) => Met,
        (_, "null") => Stands("sno-json-zero"),
        _ => Stands("sno-strict-text"),
    })
}

fn sql_string(item: Item<'_>) -> Check {
    let (input, wanted) = (item.text("input"), item.get("hex").as_str());
    // The package checks lengths.
    let Ok(text) = input.as_bytes().try_into() else { return Ok(Stands("outside-core")) };
    match (sno::parse(text), wanted) {
        (Ok(id), Some(wanted)) => equal("ID", id, big_endian(&hex(wanted))).map(|()| Met),
        (found, _) => Err(format!("{found:?}")),
    }
}
