//! A module, as the audit needs it.

use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{
    ConstExpr, DataKind, ExternalKind, FuncType, GlobalType, KnownCustom, Name, NameSectionReader, Operator, Parser,
    Payload, TypeRef,
};

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
    /// Globals, with their initial values if these are plain numbers.
    pub globals: Vec<(GlobalType, Option<i32>)>,
    /// Names and numbers of the exported functions, and of the function that is called on instantiation.
    pub roots: Vec<(String, u32)>,
    /// Lists of functions, for calls through a table.
    pub tables_of_functions: u32,
    /// The lowest address of the data.
    pub lowest_data: Option<i32>,
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
            Payload::GlobalSection(section) => {
                for global in section {
                    let global = global?;
                    self.globals.push((global.ty, constant(&global.init_expr)));
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
            Payload::DataSection(section) => {
                for data in section {
                    if let DataKind::Active { offset_expr, .. } = data?.kind {
                        // Anything but a plain number counts as address 0.
                        let place = constant(&offset_expr).unwrap_or(0);
                        self.lowest_data = Some(self.lowest_data.map_or(place, |lowest| lowest.min(place)));
                    }
                }
            }
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

/// The value of an expression that is a plain number.
fn constant(expression: &ConstExpr<'_>) -> Option<i32> {
    match expression.get_operators_reader().read() {
        Ok(Operator::I32Const { value }) => Some(value),
        _ => None,
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
