//! Makes a module that stops at its n-th block. `tests/js/cut` checks the state after a call that
//! is cut off there.

use std::path::Path;

use anyhow::Result;
use walrus::ir::{
    BinaryOp, Binop, Const, Drop, GlobalGet, GlobalSet, Instr, InstrLocId, InstrSeq, InstrSeqId, Value, Visitor,
    dfs_in_order,
};
use walrus::{ConstExpr, GlobalId, LocalFunction, Module, ValType};

/// The exported counter of the remaining blocks. At 0, the next block traps. A negative counter
/// never ends.
const LEFT: &str = "left";

/// Writes the module with a counter. A block begins at the start of a function, a loop, an arm of
/// an `if` or any other sequence, and after every branching instruction.
pub fn run(module: &Path, out: &Path) -> Result<()> {
    let mut module = Module::from_file(module)?;
    let left = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(-1)));
    module.exports.add(LEFT, left);
    for (_, function) in module.funcs.iter_local_mut() {
        for sequence in sequences(function) {
            let sequence = function.block_mut(sequence);
            let mut counted: Vec<_> = count(left).collect();
            for (instruction, _) in sequence.drain(..) {
                let ends = matches!(instruction, Instr::Block(_) | Instr::Loop(_) | Instr::IfElse(_) | Instr::BrIf(_));
                counted.push(instruction);
                if ends {
                    counted.extend(count(left));
                }
            }
            sequence.extend(counted.into_iter().map(|instruction| (instruction, InstrLocId::default())));
        }
    }
    module.emit_wasm_file(out)
}

/// Decrements the counter. Division by 0 traps.
fn count(left: GlobalId) -> impl Iterator<Item = Instr> {
    let one = || Instr::Const(Const { value: Value::I32(1) });
    let get = || Instr::GlobalGet(GlobalGet { global: left });
    let apply = |op| Instr::Binop(Binop { op });
    [
        one(),
        get(),
        apply(BinaryOp::I32DivU),
        Instr::Drop(Drop {}),
        get(),
        one(),
        apply(BinaryOp::I32Sub),
        Instr::GlobalSet(GlobalSet { global: left }),
    ]
    .into_iter()
}

/// All sequences of instructions of a function.
fn sequences(function: &LocalFunction) -> Vec<InstrSeqId> {
    #[derive(Default)]
    struct Found(Vec<InstrSeqId>);
    impl<'instr> Visitor<'instr> for Found {
        fn start_instr_seq(&mut self, sequence: &'instr InstrSeq) {
            self.0.push(sequence.id());
        }
    }
    let mut found = Found::default();
    dfs_in_order(&mut found, function, function.entry_block());
    found.0
}
