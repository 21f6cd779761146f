//! The graph of calls. There are no indirect calls, so the call instructions are all that can happen.

use std::collections::BTreeMap;

use super::flow::Facts;
use super::module::Module;

/// The calls of a module's functions.
pub struct Calls<'a> {
    module: &'a Module<'a>,
    facts: &'a BTreeMap<u32, Facts>,
}

/// Functions that end up calling themselves, in order; the first one calls the last.
pub struct Cycle(pub Vec<u32>);

impl<'a> Calls<'a> {
    pub const fn new(module: &'a Module<'a>, facts: &'a BTreeMap<u32, Facts>) -> Self {
        Self { module, facts }
    }

    /// The exports that lead to a function.
    pub fn ways_to(&self, function: u32) -> Vec<&'a str> {
        let leads = |root| {
            let (mut seen, mut left) = (vec![root], vec![root]);
            while let Some(caller) = left.pop() {
                for (callee, _) in self.of(caller) {
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

    /// Bytes of the stack in memory that the deepest calls take.
    pub fn stack(&self) -> Result<i64, Cycle> {
        let mut known = BTreeMap::new();
        self.facts
            .keys()
            .try_fold(0, |most, &function| Ok(self.below(function, &mut Vec::new(), &mut known)?.max(most)))
    }

    /// The same for one function, called from those on `way`.
    fn below(&self, function: u32, way: &mut Vec<u32>, known: &mut BTreeMap<u32, i64>) -> Result<i64, Cycle> {
        if let Some(&depth) = known.get(&function) {
            return Ok(depth);
        }
        if let Some(first) = way.iter().position(|&caller| caller == function) {
            return Err(Cycle(way.split_off(first)));
        }
        way.push(function);
        let mut most = self.facts.get(&function).map_or(0, |facts| facts.depth);
        for (callee, depth) in self.of(function) {
            most = most.max(depth + self.below(callee, way, known)?);
        }
        way.pop();
        known.insert(function, most);
        Ok(most)
    }

    /// The calls of a function. An imported function has none.
    fn of(&self, function: u32) -> impl Iterator<Item = (u32, i64)> {
        self.facts.get(&function).into_iter().flat_map(|facts| facts.calls.values().copied())
    }
}
