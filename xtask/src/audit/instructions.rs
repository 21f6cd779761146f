//! The instructions that the module may contain. The audit rejects all others, known or not.

use wasmparser::Operator;

/// Instructions that never trap, and loads and stores (see the note on them in the header of the
/// audit), by the prefixes of their names. From the section "Instructions" of the WebAssembly
/// specification 1.0, and from two later proposals that compilers use: sign extension and
/// saturating conversions.
const PLAIN: [(&str, &str); 6] = [
    ("", "nop block loop if else end br br_if br_table return call drop select"),
    ("local_", "get set tee"),
    (
        "i32_ i64_",
        "const eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u clz ctz popcnt add sub mul and or xor shl shr_s shr_u \
         rotl rotr extend8_s extend16_s trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u \
         load load8_s load8_u load16_s load16_u store store8 store16",
    ),
    ("i64_", "load32_s load32_u store32 extend_i32_s extend_i32_u extend32_s reinterpret_f64"),
    (
        "f32_ f64_",
        "const eq ne lt gt le ge abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign \
         convert_i32_s convert_i32_u convert_i64_s convert_i64_u load store",
    ),
    ("", "i32_wrap_i64 i32_reinterpret_f32 f32_reinterpret_i32 f64_reinterpret_i64 f32_demote_f64 f64_promote_f32"),
];

/// The problem of an instruction, if it has one. `before`: the preceding instruction; if it is a
/// constant, it is the last operand.
pub fn problem(operator: &Operator<'_>, before: Option<&Operator<'_>>) -> Option<String> {
    let name = name(operator);
    let constant = match before {
        Some(Operator::I32Const { value }) => Some(i64::from(*value)),
        Some(Operator::I64Const { value }) => Some(*value),
        _ => None,
    };
    let (is_safe, what) = match name.split_once('_').unwrap_or(("", name)) {
        ("i32" | "i64", "div_u" | "rem_u") => (constant.is_some_and(|by| by != 0), "by a variable, or by what traps"),
        ("i32" | "i64", "div_s" | "rem_s") => {
            (constant.is_some_and(|by| by != 0 && by != -1), "by a variable, or by what traps")
        }
        ("memory", "copy" | "fill") => (constant.is_some(), "of a variable length"),
        _ => return (!is_plain(name)).then(|| name.to_owned()),
    };
    (!is_safe).then(|| format!("{name} {what}"))
}

fn is_plain(name: &str) -> bool {
    PLAIN.iter().any(|(prefixes, names)| {
        let mut names = names.split_whitespace();
        if prefixes.is_empty() {
            return names.any(|known| known == name);
        }
        let rest = prefixes.split(' ').find_map(|prefix| name.strip_prefix(prefix));
        rest.is_some_and(|rest| names.any(|known| known == rest))
    })
}

/// The name of an instruction, from the module reader's own table.
fn name(operator: &Operator<'_>) -> &'static str {
    macro_rules! table {
        ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($arity:tt)*) )*) => {
            match operator {
                $( Operator::$op { .. } => stringify!($visit), )*
                // A later version of the reader may know more instructions.
                _ => "visit_unknown",
            }
        };
    }
    wasmparser::for_each_operator!(table).trim_start_matches("visit_")
}
