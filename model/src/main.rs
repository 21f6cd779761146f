//! `npm run test:long -- model`: searches the rows and prints the outcome of each as soon as it is
//! known.

use std::process::ExitCode;
use std::time::Duration;

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
    let reports: Vec<Report> = chosen.iter().map(|row| search(row, options.trace)).collect();
    let wrong: Vec<String> = chosen.iter().zip(&reports).filter_map(|(row, report)| row.judge(report).err()).collect();
    let total: Duration = reports.iter().map(|report| report.time).sum();
    println!("\n{} rows, {:.0} s, {} with an unexpected outcome", chosen.len(), total.as_secs_f64(), wrong.len());
    for text in &wrong {
        println!("\n{text}");
    }
    if options.write
        && let Err(error) = print::write(&chosen, &reports)
    {
        eprintln!("{error}");
        return ExitCode::FAILURE;
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

fn search(row: &Row, trace: bool) -> Report {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = row.search(threads, |states| {
        eprintln!("    {}: {} states so far", row.name(), print::grouped(states));
    });
    println!("{}", print::line(row, &report));
    if trace {
        for (name, steps) in &report.violated {
            println!("    {name}:");
            steps.iter().for_each(|step| println!("      {step}"));
        }
    }
    report
}
