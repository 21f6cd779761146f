//! The graph of calls. There are no indirect calls, so the call instructions are all that can happen.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::Operator;

use super::module::Module;

/// The calls of a module's functions.
pub struct Calls<'a> {
    module: &'a Module<'a>,
    /// What each function calls.
    callees: BTreeMap<u32, Vec<u32>>,
}

/// Functions that end up calling themselves, in order; the first one calls the last.
pub struct Cycle(pub Vec<u32>);

impl<'a> Calls<'a> {
    pub fn new(module: &'a Module<'a>) -> Self {
        let callee = |operator: &Operator<'_>| match operator {
            Operator::Call { function_index } => Some(*function_index),
            _ => None,
        };
        let callees = module.numbered().map(|(number, body)| (number, body.iter().filter_map(callee).collect()));
        Self { module, callees: callees.collect() }
    }

    /// The exports that lead to a function.
    pub fn ways_to(&self, function: u32) -> Vec<&'a str> {
        let leads = |root| {
            let (mut seen, mut left) = (vec![root], vec![root]);
            while let Some(caller) = left.pop() {
                for callee in self.of(caller) {
                    if !seen.contains(&callee) {
                        seen.push(callee);
                        left.push(callee);
                    }
                }
            }
            seen.contains(&function)
        };
        let roots = self.module.roots.iter().filter(|&&(_, root)| leads(root));
        roots.map(|(name, _)| name.as_str()).collect()
    }

    /// Fails with functions that end up calling themselves, if there are any.
    pub fn check_recursion(&self) -> Result<(), Cycle> {
        let mut known = BTreeSet::new();
        self.callees.keys().try_for_each(|&function| self.check(function, &mut Vec::new(), &mut known))
    }

    /// The same for one function, called from those on `way`.
    fn check(&self, function: u32, way: &mut Vec<u32>, known: &mut BTreeSet<u32>) -> Result<(), Cycle> {
        if let Some(first) = way.iter().position(|&caller| caller == function) {
            return Err(Cycle(way.split_off(first)));
        }
        if known.insert(function) {
            way.push(function);
            for callee in self.of(function) {
                self.check(callee, way, known)?;
            }
            way.pop();
        }
        Ok(())
    }

    /// The calls of a function. An imported function has none.
    fn of(&self, function: u32) -> impl Iterator<Item = u32> {
        self.callees.get(&function).into_iter().flatten().copied()
    }
}
