//! Plays the stories of `tests/stories/*.json` (its README describes their form): a script, and the expected answer under each
//! policy, for every format that the story applies to. `tests/js/generator/clock-stories.test.ts` plays them, too.

use std::fs;

use graupel::engine::{Backwards, Full, Interval, Restart};
use serde_json::{Map, Value};

use crate::engine::script::{Player, is_random, policy};
use crate::made;
use crate::subjects::{self, EPOCH, FormatUnderTest, POOL};

/// How many ticks `hold` and `borrow` may run ahead of the clock, unless the story says otherwise.
const AHEAD: i64 = 5;

/// Every combination of policies that the format has; only sno has tick-tock.
fn policies(subject: &FormatUnderTest) -> Vec<String> {
    let backwards = Backwards::WORDS.iter().filter(|(policy, _)| subject.is_sno() || *policy != Backwards::TickTock);
    backwards.flat_map(|(_, backwards)| Full::WORDS.map(|(_, full)| format!("{backwards}/{full}"))).collect()
}

/// Whether one of a row's patterns covers a policy. The call is `next`.
fn covers(row: &str, policy: &str) -> bool {
    row.split(' ').any(|row| {
        let asked = policy.split('/').chain(["next"]);
        row.split('/').zip(asked).all(|(pattern, part)| pattern == "*" || pattern == part)
    })
}

/// Whether a story applies to a format.
fn is_about(story: &Value, subject: &FormatUnderTest) -> bool {
    if story["sequence"].get("threshold").is_some() {
        return subject.schema == made::snowflake_si(EPOCH, [41, 10, 2]);
    }
    let about = story["about"].as_str();
    match about {
        None if story.get("sequence").is_some() => !is_random(subject) && !subject.is_sno(),
        None => true,
        Some("sno") => subject.is_sno(),
        Some("not sno") => !subject.is_sno(),
        Some("counters") => !is_random(subject),
        Some("random") => is_random(subject),
        Some(other) => panic!("no formats are called {other}"),
    }
}

/// Plays each story with each format that it applies to, under each policy.
#[test]
fn clock_stories() {
    let subjects = subjects::all();
    let paths = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories")).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let sections: Map<String, Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for (section, stories) in &sections {
            for story in stories.as_array().unwrap().iter().filter(|story| !waits(story)) {
                for subject in subjects.iter().filter(|subject| is_about(story, subject)) {
                    tell(section, story, subject);
                }
            }
        }
    }
}

/// Whether a story is about waits. The core does not wait: it answers what to wait for.
fn waits(story: &Value) -> bool {
    !story["wait"].is_null()
        || text(&story["script"]).split(' ').any(|word| word == "waits" || word.contains(['!', ',']))
}

fn tell(section: &str, story: &Value, subject: &FormatUnderTest) {
    let under = story.get("under").map_or("*", text);
    for policy_name in policies(subject).iter().filter(|name| covers(under, name)) {
        let name = format!("{section}: {}: {}, {policy_name}", text(&story["name"]), subject.name);
        let telling = Telling(&name);
        let answers = story["answers"].as_object().unwrap().iter();
        let rows: Vec<_> = answers.filter(|(row, _)| covers(row, policy_name)).collect();
        assert_eq!(rows.len(), 1, "{name}: rows");
        let found = play(story, subject, policy_name);
        assert_eq!(found, text(rows[0].1), "{name}\n script: {}", text(&story["script"]));
        drop(telling);
    }
}

fn play(story: &Value, subject: &FormatUnderTest, policy_name: &str) -> String {
    let origin = match story["origin"].as_str() {
        None => 0,
        Some("last") => subject.schema.scale().last(),
        Some(other) => panic!("no origin is called {other}"),
    };
    let mut generator = subject.pooled(POOL);
    if let Some(sequence) = story.get("sequence") {
        let word = Restart::WORDS.into_iter().find(|(_, word)| sequence["start"] == *word);
        let restart =
            word.map_or_else(|| Restart::once(sequence["threshold"].as_u64().unwrap()), |(restart, _)| restart);
        generator.obey(restart.number(), subject.schema.scale());
    }
    if let Some(interval) = story["interval"].as_array() {
        let end = |index: usize| origin + interval[index].as_i64().unwrap();
        generator.saved.interval = Interval { from: end(0), until: end(1) };
    }
    let ahead = story["ahead"].as_i64().unwrap_or(AHEAD);
    let policy = policy(policy_name, ahead);
    Player::new(subject, generator, policy, origin).play(text(&story["script"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// Names the story if a check fails in the middle of it.
struct Telling<'a>(&'a str);

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the story of {}", self.0);
        }
    }
}
