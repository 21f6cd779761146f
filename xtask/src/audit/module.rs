//! A module for the audit: its instructions and its call graph. There are no indirect calls, so the
//! call instructions give the whole graph.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use wasmparser::{ExternalKind, KnownCustom, Name, NameSectionReader, Operator, Parser, Payload, TypeRef};

#[derive(Default)]
pub struct Module<'a> {
    /// The names of all imports, and the number of imported functions, which come first in the
    /// numbering.
    pub imports: Vec<String>,
    pub imported: u32,
    /// The functions with bodies: the instructions of each.
    pub functions: Vec<Vec<Operator<'a>>>,
    /// Names and numbers of the exported functions, and of the function that is called on
    /// instantiation.
    pub roots: Vec<(String, u32)>,
    /// The number of tables of functions, for indirect calls.
    pub tables_of_functions: u32,
    /// The functions' names, if the module has them.
    pub names: BTreeMap<u32, String>,
}

impl<'a> Module<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        wasmparser::validate(bytes)?;
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            module.take(payload?)?;
        }
        Ok(module)
    }

    fn take(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    self.imports.push(import.name.to_owned());
                    self.imported += u32::from(matches!(import.ty, TypeRef::Func(_)));
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.roots.push((export.name.to_owned(), export.index));
                    }
                }
            }
            Payload::StartSection { func, .. } => self.roots.push(("(start)".to_owned(), func)),
            Payload::ElementSection(section) => self.tables_of_functions += section.count(),
            Payload::CodeSectionEntry(body) => {
                self.functions.push(body.get_operators_reader()?.into_iter().collect::<Result<_, _>>()?);
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(subsections) = section.as_known() {
                    self.take_names(subsections)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take_names(&mut self, subsections: NameSectionReader<'a>) -> Result<()> {
        for subsection in subsections {
            let Name::Function(names) = subsection? else { continue };
            for name in names {
                let name = name?;
                self.names.insert(name.index, name.name.to_owned());
            }
        }
        Ok(())
    }

    /// The functions with bodies, each with its number.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Vec<Operator<'a>>)> {
        (self.imported..).zip(&self.functions)
    }

    /// The functions that a call of a function can reach. An imported function reaches none.
    pub fn led_to(&self, function: u32) -> BTreeSet<u32> {
        let (mut found, mut left) = (BTreeSet::new(), vec![function]);
        while let Some(caller) = left.pop() {
            let body = caller.checked_sub(self.imported).and_then(|index| self.functions.get(index as usize));
            for operator in body.into_iter().flatten() {
                if let Operator::Call { function_index: callee } = *operator
                    && found.insert(callee)
                {
                    left.push(callee);
                }
            }
        }
        found
    }

    /// The exports that lead to a function.
    pub fn ways_to(&self, function: u32) -> Vec<&str> {
        let leads = |root| root == function || self.led_to(root).contains(&function);
        self.roots.iter().filter(|&&(_, root)| leads(root)).map(|(name, _)| name.as_str()).collect()
    }
}
