//! Walks through one function. For each value the walk knows the constants that it can be, or nothing. That is enough: a divisor or
//! a length that is right is a constant, or one of several between which the function has chosen (LLVM makes
//! a division out of a loop that fills a buffer with pieces of 8 or 16 bytes).
//!
//! Where two paths meet, only what is known on both is known. A loop is walked until nothing new returns to its start. The walk
//! covers everything that can be executed, so what it does not find cannot happen.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{BlockType, Operator};

use super::instructions::shape;
use super::module::{Function, Module};

/// The findings, by the position of the instruction, because the instructions of a loop are walked more than once.
#[derive(Default)]
pub struct Facts {
    pub refused: BTreeMap<usize, String>,
    /// The called functions.
    pub calls: BTreeMap<usize, u32>,
}

#[derive(Clone, PartialEq)]
enum Value {
    Any,
    OneOf(BTreeSet<i64>),
}

impl Value {
    fn constant(value: i64) -> Self {
        Self::OneOf([value].into())
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::OneOf(mut these), Self::OneOf(those)) => {
                these.extend(those);
                Self::OneOf(these)
            }
            _ => Self::Any,
        }
    }

    /// Known, and none of these.
    fn is_never(&self, values: &[i64]) -> bool {
        matches!(self, Self::OneOf(known) if !values.iter().any(|value| known.contains(value)))
    }

    /// Whether it can be only one.
    fn is_single(&self) -> bool {
        matches!(self, Self::OneOf(known) if known.len() == 1)
    }
}

#[derive(Clone, PartialEq)]
struct State {
    locals: Vec<Value>,
    stack: Vec<Value>,
}

impl State {
    fn join(self, other: Self) -> Self {
        let both =
            |these: Vec<Value>, those: Vec<Value>| these.into_iter().zip(those).map(|(a, b)| a.join(b)).collect();
        Self { locals: both(self.locals, other.locals), stack: both(self.stack, other.stack) }
    }

    /// The state after a branch to a block that began at `height` values, with `count` values on top.
    fn carried(&self, height: usize, count: usize) -> Self {
        let mut stack = self.stack.clone();
        let carried = stack.split_off(stack.len() - count);
        stack.truncate(height);
        stack.extend(carried);
        Self { stack, ..self.clone() }
    }
}

fn meet(one: Option<State>, other: Option<State>) -> Option<State> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.join(other)),
        (one, other) => one.or(other),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Block,
    If,
    /// With the position of its first instruction.
    Loop(usize),
}

/// A block that has begun.
struct Label {
    kind: Kind,
    /// How many values are below those of the block.
    height: usize,
    params: usize,
    results: usize,
    /// The state at its start: with which an `else` starts, or with which a loop returns to its start.
    start: Option<State>,
    /// The state of all branches to its end.
    end: Option<State>,
    /// Whether a loop has returned to its start with a new state.
    again: bool,
}

struct Walk<'a> {
    module: &'a Module<'a>,
    /// `None` where the code is unreachable.
    state: Option<State>,
    labels: Vec<Label>,
    facts: Facts,
}

/// Walks through a function of the module.
pub fn walk<'a>(module: &'a Module<'a>, function: &'a Function<'a>) -> Facts {
    let signature = &module.types[function.signature as usize];
    let mut locals = vec![Value::Any; signature.params().len()];
    // Other locals start as zero.
    locals.resize(locals.len() + function.locals, Value::constant(0));
    let whole = Label {
        kind: Kind::Block,
        height: 0,
        params: 0,
        results: signature.results().len(),
        start: None,
        end: None,
        again: false,
    };
    let state = Some(State { locals, stack: Vec::new() });
    let mut walk = Walk { module, state, labels: vec![whole], facts: Facts::default() };
    let mut at = 0;
    while let Some(operator) = function.body.get(at) {
        at = walk.step(at, operator);
    }
    walk.facts
}

impl Walk<'_> {
    /// One instruction; returns the position of the next.
    fn step(&mut self, at: usize, operator: &Operator<'_>) -> usize {
        match operator {
            Operator::Block { blockty } => self.begin(Kind::Block, *blockty),
            Operator::Loop { blockty } => self.begin(Kind::Loop(at + 1), *blockty),
            Operator::If { blockty } => {
                self.pop();
                self.begin(Kind::If, *blockty);
            }
            Operator::Else => self.turn(),
            Operator::End => return self.end().unwrap_or(at + 1),
            Operator::Br { relative_depth } => {
                self.branch(*relative_depth);
                self.state = None;
            }
            Operator::BrIf { relative_depth } => {
                self.pop();
                self.branch(*relative_depth);
            }
            Operator::BrTable { targets } => {
                self.pop();
                for target in targets.targets().flatten().chain([targets.default()]) {
                    self.branch(target);
                }
                self.state = None;
            }
            Operator::Return => {
                self.branch(u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX));
                self.state = None;
            }
            _ if self.state.is_some() => self.plain(at, operator),
            _ => {}
        }
        at + 1
    }

    fn begin(&mut self, kind: Kind, block: BlockType) {
        let (params, results) = match block {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let signature = &self.module.types[index as usize];
                (signature.params().len(), signature.results().len())
            }
        };
        let height = self.state.as_ref().map_or(0, |state| state.stack.len() - params);
        let start = self.state.clone();
        self.labels.push(Label { kind, height, params, results, start, end: None, again: false });
    }

    /// Goes from the first half of an `if` to the second.
    fn turn(&mut self) {
        let state = self.state.take();
        if let Some(label) = self.labels.last_mut() {
            label.kind = Kind::Block;
            label.end = meet(label.end.take(), state.map(|state| state.carried(label.height, label.results)));
            self.state = label.start.take();
        }
    }

    /// Ends a block. Returns the position of the start if a loop has to be walked again.
    fn end(&mut self) -> Option<usize> {
        let mut label = self.labels.pop()?;
        let state = self.state.take().map(|state| state.carried(label.height, label.results));
        if let (Kind::Loop(first), true) = (label.kind, label.again) {
            self.state.clone_from(&label.start);
            label.again = false;
            self.labels.push(label);
            return Some(first);
        }
        self.state = meet(label.end, state);
        if label.kind == Kind::If {
            // A missing `else` does nothing.
            self.state = meet(self.state.take(), label.start);
        }
        None
    }

    fn branch(&mut self, depth: u32) {
        let Some(state) = &self.state else { return };
        let at = self.labels.len() - 1 - depth as usize;
        let label = &mut self.labels[at];
        if let Kind::Loop(_) = label.kind {
            let before = label.start.take();
            label.start = meet(before.clone(), Some(state.carried(label.height, label.params)));
            label.again |= label.start != before;
        } else {
            label.end = meet(label.end.take(), Some(state.carried(label.height, label.results)));
        }
    }

    fn pop(&mut self) -> Value {
        self.state.as_mut().and_then(|state| state.stack.pop()).unwrap_or(Value::Any)
    }

    fn push(&mut self, value: Value) {
        if let Some(state) = &mut self.state {
            state.stack.push(value);
        }
    }

    fn local(&mut self, index: u32) -> Option<&mut Value> {
        self.state.as_mut()?.locals.get_mut(index as usize)
    }

    fn refuse(&mut self, at: usize, what: impl Into<String>) {
        self.facts.refused.insert(at, what.into());
    }

    /// An instruction that is not a branch.
    fn plain(&mut self, at: usize, operator: &Operator<'_>) {
        let shape = shape(operator);
        match operator {
            Operator::I32Const { value } => self.push(Value::constant((*value).into())),
            Operator::I64Const { value } => self.push(Value::constant(*value)),
            Operator::LocalGet { local_index } => {
                let value = self.local(*local_index).map_or(Value::Any, |local| local.clone());
                self.push(value);
            }
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                let value = self.pop();
                if let Operator::LocalTee { .. } = operator {
                    self.push(value.clone());
                }
                if let Some(local) = self.local(*local_index) {
                    *local = value;
                }
            }
            Operator::Select => {
                let (_, one, other) = (self.pop(), self.pop(), self.pop());
                self.push(one.join(other));
            }
            Operator::Call { function_index } => self.call(at, *function_index),
            Operator::I32DivU | Operator::I32RemU | Operator::I64DivU | Operator::I64RemU => {
                self.divide(at, shape.name, &[0]);
            }
            Operator::I32DivS | Operator::I32RemS | Operator::I64DivS | Operator::I64RemS => {
                self.divide(at, shape.name, &[0, -1]);
            }
            Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } => {
                if !self.pop().is_single() {
                    self.refuse(at, format!("{} of a variable length", shape.name));
                }
                self.pop();
                self.pop();
            }
            _ => match shape.arity {
                Some((taken, left)) => {
                    for _ in 0..taken {
                        self.pop();
                    }
                    for _ in 0..left {
                        self.push(Value::Any);
                    }
                    if let Operator::Unreachable = operator {
                        self.state = None;
                    }
                }
                // Not on the list of instructions, so the module is refused already.
                None => self.state = None,
            },
        }
    }

    fn call(&mut self, at: usize, callee: u32) {
        let module = self.module;
        let signature = module.type_of(callee);
        for _ in signature.params() {
            self.pop();
        }
        for _ in signature.results() {
            self.push(Value::Any);
        }
        self.facts.calls.insert(at, callee);
    }

    fn divide(&mut self, at: usize, name: &str, never: &[i64]) {
        if !self.pop().is_never(never) {
            self.refuse(at, format!("{name} by a variable, or by what traps"));
        }
        self.pop();
        self.push(Value::Any);
    }
}
