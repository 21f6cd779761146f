//! Clock stories: what each format's generator answers, under every policy, to clocks that stand still, jump, end,
//! and go back. No clock is read here: stories are scripts (see `policy/script.rs`), and every answer is written down.

#[path = "policy/clock.rs"]
mod clock;
#[path = "policy/ends.rs"]
mod ends;
#[path = "policy/given.rs"]
mod given;
#[path = "policy/kept.rs"]
mod kept;
#[path = "policy/random.rs"]
mod random;
#[path = "policy/restart.rs"]
mod restart;
#[path = "policy/script.rs"]
mod script;
#[path = "policy/sequence.rs"]
mod sequence;
#[path = "policy/story.rs"]
mod story;
#[path = "support/subjects.rs"]
mod subjects;

#[test]
fn every_format_takes_part() {
    let names: Vec<&str> = subjects::all().iter().map(|subject| subject.name).collect();
    for format in graupel::formats::ALL {
        assert!(names.contains(&format.name), "{} has no part in the stories", format.name);
    }
}
