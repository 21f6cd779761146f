//! One test for each short row of the table, and one for the table in the README.

use graupel_model::print;
use graupel_model::row::{Row, Size};
use graupel_model::table::rows;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let searches = rows()
        .into_iter()
        .filter(|row| row.size == Size::Short)
        .map(|row| Trial::test(row.name(), move || search(&row)));
    let all = searches.chain([Trial::test("the README has all rows", readme_has_all_rows)]).collect();
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

/// Uses one thread, because several rows run in parallel.
fn search(row: &Row) -> Result<(), Failed> {
    row.judge(&row.search(1, |_| {})).map_err(Failed::from)
}

fn readme_has_all_rows() -> Result<(), Failed> {
    let text = std::fs::read_to_string(print::readme())?;
    let table = print::table_in(&text).ok_or("the README has no table of the rows")?;
    let found: Vec<&str> = table.lines().skip(2).collect();
    let rows = rows();
    let same =
        found.len() == rows.len() && found.iter().zip(&rows).all(|(line, row)| line.starts_with(&print::head(row)));
    let told = "the table in model/README.md is not that of the rows: npm run test:long -- model --write";
    if same { Ok(()) } else { Err(told.into()) }
}
