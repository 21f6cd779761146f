//! `npm test -- model` and `npm run test:long -- model`: searches the rows and prints the outcome of
//! each as soon as it is known.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use graupel_model::print;
use graupel_model::row::{Report, Row, Size};
use graupel_model::table::rows;

const USAGE: &str = "npm run test:long -- model [--short] [--only <text>] [--trace] [--write]

  --short          only the rows that npm test searches
  --only <text>    only rows with this text in their variant or setting
  --trace          also the steps of each counterexample
  --write          also writes the table to model/README.md; not with --short or --only";

/// The options of the command line.
#[derive(Default)]
struct Options {
    short: bool,
    only: String,
    trace: bool,
    write: bool,
}

fn main() -> ExitCode {
    let Some(options) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let chosen: Vec<Row> = rows()
        .into_iter()
        .filter(|row| !options.short || row.size == Size::Short)
        .filter(|row| row.name().contains(&options.only))
        .collect();
    if chosen.is_empty() {
        eprintln!("no row has \"{}\" in its name", options.only);
        return ExitCode::from(2);
    }
    println!("{}", print::HEADER);
    let began = Instant::now();
    let reports = search(&chosen, options.trace);
    let mut wrong: Vec<String> =
        chosen.iter().zip(&reports).filter_map(|(row, report)| row.judge(report).err()).collect();
    println!("\n{} rows, {} s, {} with an unexpected outcome", chosen.len(), began.elapsed().as_secs(), wrong.len());
    let table = if options.write { print::write(&chosen, &reports) } else { print::check(&rows(), &chosen, &reports) };
    wrong.extend(table.err());
    for text in &wrong {
        println!("\n{text}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(words: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options::default();
    let mut words = words;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--short" => options.short = true,
            "--trace" => options.trace = true,
            "--write" => options.write = true,
            "--only" => options.only = words.next()?,
            _ => return None,
        }
    }
    let all = !options.short && options.only.is_empty();
    (all || !options.write).then_some(options)
}

/// Searches the rows, several at the same time.
fn search(rows: &[Row], trace: bool) -> Vec<Report> {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut reports = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(index) else { return reports };
            let report = row.search();
            println!("{}", print::line(row, &report));
            if trace {
                for (name, steps) in &report.violated {
                    println!("    {name}:");
                    steps.iter().for_each(|step| println!("      {step}"));
                }
            }
            reports.push((index, report));
        }
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a search panicked")).collect()
    });
    all.sort_by_key(|&(index, _)| index);
    all.into_iter().map(|(_, report)| report).collect()
}
