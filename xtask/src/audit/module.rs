//! A module, as the audit needs it.

use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{ExternalKind, FuncType, KnownCustom, Name, NameSectionReader, Operator, Parser, Payload, TypeRef};

/// A function with a body.
pub struct Function<'a> {
    /// Index of its type.
    pub signature: u32,
    /// Local variables beyond the parameters.
    pub locals: usize,
    pub body: Vec<Operator<'a>>,
}

#[derive(Default)]
pub struct Module<'a> {
    pub types: Vec<FuncType>,
    /// Names of all imports, and the types of the imported functions, which come first in the numbering.
    pub imports: Vec<String>,
    pub imported: Vec<u32>,
    signatures: Vec<u32>,
    pub functions: Vec<Function<'a>>,
    /// Names and numbers of the exported functions, and of the function that is called on instantiation.
    pub roots: Vec<(String, u32)>,
    /// Lists of functions, for calls through a table.
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
            Payload::TypeSection(section) => {
                self.types = section.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    self.imports.push(import.name.to_owned());
                    if let TypeRef::Func(signature) = import.ty {
                        self.imported.push(signature);
                    }
                }
            }
            Payload::FunctionSection(section) => self.signatures = section.into_iter().collect::<Result<_, _>>()?,
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
                let mut locals = 0;
                for group in body.get_locals_reader()? {
                    locals += group?.0 as usize;
                }
                let signature = self.signatures[self.functions.len()];
                let body = body.get_operators_reader()?.into_iter().collect::<Result<_, _>>()?;
                self.functions.push(Function { signature, locals, body });
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(subsections) = section.as_known() {
                    self.names.extend(function_names(subsections)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The type of a function by its number, imported or not.
    pub fn type_of(&self, function: u32) -> &FuncType {
        let at = function as usize;
        let signature = self.imported.get(at).copied().unwrap_or_else(|| self.signatures[at - self.imported.len()]);
        &self.types[signature as usize]
    }

    /// The functions with bodies, each with its number.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Function<'a>)> {
        (0..).skip(self.imported.len()).zip(&self.functions)
    }
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
