//! A story: one script, and what it must come to under each policy, for every format that it is about.

use crate::script::{POOL, Player, policy};
use crate::subjects::{self, Subject};
use graupel::engine::Interval;

/// Which tick a script calls 0.
#[derive(Clone, Copy)]
pub enum Origin {
    /// The format's first.
    First,
    /// The format's last.
    Last,
}

/// What is told, and of whom.
#[derive(Clone, Copy)]
pub struct Story {
    pub name: &'static str,
    /// Which formats it is about.
    pub who: fn(&Subject) -> bool,
    pub origin: Origin,
    /// The ticks that may be issued, half-open, as the script counts.
    pub interval: Option<(i64, i64)>,
    /// How many ticks `hold` and `borrow` may run ahead of the clock.
    pub ahead: i64,
    /// The policies that it is about.
    pub under: &'static str,
    pub script: &'static str,
    /// Policies (`*` is any, a blank is "or") and what they answer. For each policy exactly one row.
    pub answers: &'static [(&'static str, &'static str)],
}

/// What most stories have in common; the rest they say themselves.
pub const STORY: Story = Story {
    name: "",
    who: |_| true,
    origin: Origin::First,
    interval: None,
    ahead: 5,
    under: "*",
    script: "",
    answers: &[],
};

const BACKWARDS: [&str; 4] = ["throw", "wait", "hold", "tick-tock"];
const FULL: [&str; 3] = ["throw", "wait", "borrow"];

/// Every combination that the format has; the tick-tock bit is sno's.
fn policies(subject: &Subject) -> Vec<String> {
    let backwards = BACKWARDS.iter().filter(|&&name| subject.is_sno() || name != "tick-tock");
    backwards.flat_map(|backwards| FULL.map(|full| format!("{backwards}/{full}"))).collect()
}

/// Whether one of the patterns of a row covers a policy.
fn covers(row: &str, policy: &str) -> bool {
    let part = |pattern: &str, part: &str| pattern == "*" || pattern == part;
    let (backwards, full) = policy.split_once('/').unwrap_or_default();
    row.split(' ').any(|row| {
        let (first, second) = row.split_once('/').unwrap_or((row, "*"));
        part(first, backwards) && part(second, full)
    })
}

/// Plays each story to each format that it is about, under each policy; reports all that come out otherwise.
pub fn tell(stories: &[Story]) {
    let mut wrong = String::new();
    for story in stories {
        let mut heard = vec![0; story.answers.len()];
        for subject in subjects::all().iter().filter(|subject| (story.who)(subject)) {
            for name in policies(subject).iter().filter(|name| covers(story.under, name)) {
                let _telling = Telling(format!("{}: {}, {name}", story.name, subject.name));
                let rows: Vec<usize> =
                    (0..story.answers.len()).filter(|&row| covers(story.answers[row].0, name)).collect();
                assert_eq!(rows.len(), 1, "{}: rows for {name}", story.name);
                heard[rows[0]] += 1;
                let (expected, found) = (story.answers[rows[0]].1, play(story, subject, name));
                if expected != found {
                    wrong += &format!(
                        "\n{}: {}, {name}\n  script   {}\n  expected {expected}\n  heard    {found}\n",
                        story.name, subject.name, story.script
                    );
                }
            }
        }
        assert!(heard.iter().all(|&times| times > 0), "{}: a row that nobody hears: {heard:?}", story.name);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn play(story: &Story, subject: &Subject, policy_name: &str) -> String {
    let origin = match story.origin {
        Origin::First => 0,
        Origin::Last => subject.schema.scale.last(),
    };
    let mut generator = subject.pooled(POOL);
    if let Some((from, until)) = story.interval {
        generator.interval = Interval { from: origin + from, until: origin + until };
    }
    Player::new(subject, generator, policy(policy_name, story.ahead), origin).play(story.script)
}

/// Says which story was being told when a check in the middle of it failed.
struct Telling(String);

impl Drop for Telling {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in the story of {}", self.0);
        }
    }
}
