//! A trap in the module would poison it for the whole process, so the shipped module must have no way to trap on
//! its own account: no panic (which ends in `unreachable`), no indirect call, no conversion of a float that traps
//! outside the range (Rust's `as` saturates). Division by zero and a wrong index are panics in Rust, and so is an
//! allocation that fails: they would be seen as `unreachable`. Growing the memory is no trap, it answers "no".

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use wasmparser::{ExternalKind, KnownCustom, Name, NameSectionReader, Operator, Parser, Payload};

/// What was found in a module.
#[derive(Default)]
struct Findings {
    functions: u32,
    /// How often a function, by index, holds a refused instruction.
    refused: BTreeMap<(u32, &'static str), u32>,
    imports: Vec<String>,
    exports: u32,
    /// The functions' names, as far as the module tells them.
    names: BTreeMap<u32, String>,
}

/// Prints one line about `module`, or fails and says which functions hold what.
/// `named` is the same module from before the names were removed.
pub fn run(module: &Path, named: &Path) -> Result<()> {
    let read = |path: &Path| -> Result<(usize, Findings)> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let findings = examine(&bytes).with_context(|| format!("{} is not sound", path.display()))?;
        Ok((bytes.len(), findings))
    };
    let (size, findings) = read(module)?;
    let (_, known) = read(named)?;
    ensure!(
        findings.refused == known.refused && findings.functions == known.functions,
        "{} and {} are not the same module",
        module.display(),
        named.display()
    );
    if !findings.refused.is_empty() {
        let mut list = String::new();
        for ((function, instruction), count) in &findings.refused {
            let name = known.names.get(function).map_or("(without a name)", String::as_str);
            write!(list, "\n  {count} x {instruction} in {name}")?;
        }
        bail!("the module can trap:{list}");
    }
    println!(
        "{size} bytes, {} functions, {} exports, imports: {}",
        findings.functions,
        findings.exports,
        findings.imports.join(", "),
    );
    Ok(())
}

fn examine(bytes: &[u8]) -> Result<Findings> {
    wasmparser::validate(bytes)?;
    let mut findings = Findings::default();
    let mut imported_functions = 0;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    findings.imports.push(import.name.to_owned());
                    imported_functions += u32::from(matches!(import.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    findings.exports += u32::from(export?.kind == ExternalKind::Func);
                }
            }
            Payload::CodeSectionEntry(body) => {
                let function = imported_functions + findings.functions;
                findings.functions += 1;
                for operator in body.get_operators_reader()? {
                    if let Some(instruction) = refused(&operator?) {
                        *findings.refused.entry((function, instruction)).or_default() += 1;
                    }
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(subsections) = section.as_known() {
                    findings.names.extend(function_names(subsections)?);
                }
            }
            _ => {}
        }
    }
    Ok(findings)
}

fn function_names(subsections: NameSectionReader<'_>) -> Result<BTreeMap<u32, String>> {
    let mut found = BTreeMap::new();
    for subsection in subsections {
        let Name::Function(names) = subsection? else {
            continue;
        };
        for name in names {
            let name = name?;
            found.insert(name.index, name.name.to_owned());
        }
    }
    Ok(found)
}

/// The name of an instruction that the module must not contain.
fn refused(operator: &Operator<'_>) -> Option<&'static str> {
    match operator {
        Operator::Unreachable => Some("unreachable"),
        Operator::CallIndirect { .. } => Some("call_indirect"),
        Operator::I32TruncF32S
        | Operator::I32TruncF32U
        | Operator::I32TruncF64S
        | Operator::I32TruncF64U
        | Operator::I64TruncF32S
        | Operator::I64TruncF32U
        | Operator::I64TruncF64S
        | Operator::I64TruncF64U => Some("a trapping conversion"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::examine;

    /// A module of one function, `() -> ()`, with the given body.
    fn module(body: &[u8]) -> Vec<u8> {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).expect("a small test module");
        let mut code = vec![0];
        code.extend_from_slice(body);
        code.push(0x0b);
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        bytes.extend_from_slice(&[1, 4, 1, 0x60, 0, 0]);
        bytes.extend_from_slice(&[3, 2, 1, 0]);
        bytes.extend_from_slice(&[5, 3, 1, 0, 1]);
        bytes.extend_from_slice(&[10, length(&code) + 2, 1, length(&code)]);
        bytes.extend_from_slice(&code);
        bytes
    }

    #[test]
    fn passes_plain_arithmetic() {
        let findings = examine(&module(&[0x41, 1, 0x41, 2, 0x6a, 0x1a])).expect("sound");
        assert_eq!(findings.functions, 1);
        assert!(findings.refused.is_empty());
    }

    #[test]
    fn finds_a_trap() {
        let findings = examine(&module(&[0x00])).expect("sound");
        assert_eq!(findings.refused, [((0, "unreachable"), 1)].into());
    }

    #[test]
    fn passes_growth() {
        let findings = examine(&module(&[0x41, 1, 0x40, 0, 0x1a])).expect("sound");
        assert!(findings.refused.is_empty());
    }

    #[test]
    fn finds_a_trapping_conversion() {
        let one = [0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f];
        let findings = examine(&module(&[&one[..], &[0xaa, 0x1a]].concat())).expect("sound");
        assert_eq!(findings.refused, [((0, "a trapping conversion"), 1)].into());
    }

    #[test]
    fn refuses_what_is_no_module() {
        assert!(examine(b"\0asm\x01\0\0\0\x0a").is_err());
    }
}
