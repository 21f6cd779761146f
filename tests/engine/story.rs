//! Plays the stories of `tests/stories/*.json` (its README describes their form): a script, and the expected answer under each
//! policy, for every format that the story applies to. `tests/js/generator/clock-stories.test.ts` plays them, too.

use graupel::engine::Interval;
use serde_json::{Map, Value};

use crate::made;
use crate::script::{POOL, Player, is_random, policy};
use crate::subjects::{self, EPOCH, Subject};

/// How many ticks `hold` and `borrow` may run ahead of the clock, unless the story says otherwise.
const AHEAD: i64 = 5;

const BACKWARDS: [&str; 4] = ["throw", "wait", "hold", "tick-tock"];
const FULL: [&str; 3] = ["throw", "wait", "borrow"];

/// Every combination of policies that the format has; only sno has tick-tock.
fn policies(subject: &Subject) -> Vec<String> {
    let backwards = BACKWARDS.iter().filter(|&&name| subject.is_sno() || name != "tick-tock");
    backwards.flat_map(|backwards| FULL.map(|full| format!("{backwards}/{full}"))).collect()
}

/// Whether one of the patterns of a row covers a policy. The call is that of `next`.
fn covers(row: &str, policy: &str) -> bool {
    row.split(' ').any(|row| {
        let asked = policy.split('/').chain(["next"]);
        row.split('/').zip(asked).all(|(pattern, part)| pattern == "*" || pattern == part)
    })
}

/// Whether a story applies to a format.
fn is_about(story: &Value, subject: &Subject) -> bool {
    if story.get("sequence").is_some() {
        return subject.schema == made::snowflake_si(EPOCH, [41, 10, 2]);
    }
    match story["about"].as_str() {
        None => true,
        Some("sno") => subject.is_sno(),
        Some("not sno") => !subject.is_sno(),
        Some("counters") => !is_random(subject),
        Some("random") => is_random(subject),
        Some(other) => panic!("no formats are called {other}"),
    }
}

/// Plays each story with each format that it applies to, under each policy; reports every answer that differs.
#[test]
fn clock_stories() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories");
    let mut wrong = String::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).unwrap();
            let sections: Map<String, Value> =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for (section, stories) in &sections {
                for story in stories.as_array().unwrap().iter().filter(|story| !waits(story)) {
                    wrong += &tell_one(section, story);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether a story is about waits, which the core does not do: it answers what to wait for.
fn waits(story: &Value) -> bool {
    !story["wait"].is_null()
        || text(&story["script"]).split(' ').any(|word| word == "waits" || word.contains(['!', ',']))
}

/// The answers that differ.
fn tell_one(section: &str, story: &Value) -> String {
    let name = format!("{section}: {}", text(&story["name"]));
    let under = story.get("under").map_or("*", text);
    let answers: Vec<(&str, &str)> =
        story["answers"].as_object().unwrap().iter().map(|(row, answer)| (row.as_str(), text(answer))).collect();
    let mut wrong = String::new();
    for subject in subjects::all().iter().filter(|subject| is_about(story, subject)) {
        for policy_name in policies(subject).iter().filter(|name| covers(under, name)) {
            let _telling = Telling(format!("{name}: {}, {policy_name}", subject.name));
            let rows: Vec<&(&str, &str)> = answers.iter().filter(|(row, _)| covers(row, policy_name)).collect();
            assert_eq!(rows.len(), 1, "{name}: rows for {policy_name}");
            let (expected, found) = (rows[0].1, play(story, subject, policy_name));
            if expected != found {
                wrong += &format!(
                    "\n{name}: {}, {policy_name}\n  script   {}\n  expected {expected}\n  heard    {found}\n",
                    subject.name,
                    text(&story["script"])
                );
            }
        }
    }
    wrong
}

fn play(story: &Value, subject: &Subject, policy_name: &str) -> String {
    let origin = match story["origin"].as_str() {
        None => 0,
        Some("last") => subject.schema.scale.last(),
        Some(other) => panic!("no origin is called {other}"),
    };
    let mut generator = subject.pooled(POOL);
    if let Some(sequence) = story.get("sequence") {
        let keep = sequence["keep"].as_bool().unwrap_or(false);
        let restart = if keep { made::KEPT } else { sequence["threshold"].as_u64().unwrap_or(0) };
        generator.values = made::counter(&subject.schema, restart);
    }
    if let Some(interval) = story["interval"].as_array() {
        let end = |index: usize| origin + interval[index].as_i64().unwrap();
        generator.interval = Interval { from: end(0), until: end(1) };
    }
    let ahead = story["ahead"].as_i64().unwrap_or(AHEAD);
    Player::new(subject, generator, policy(policy_name, ahead), origin).play(text(&story["script"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// Names the story if a check fails in the middle of it.
struct Telling(String);

impl Drop for Telling {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the story of {}", self.0);
        }
    }
}
