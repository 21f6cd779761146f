//! The instructions that the module may contain. All others are refused, known or not.

use wasmparser::Operator;

/// Instructions that never trap, and loads and stores (see the note on them in the header of the audit), by the
/// prefixes of their names. From the section "Instructions" of the WebAssembly specification 1.0, and from the two
/// later proposals that compilers use: sign extension and conversions that saturate.
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

/// Instructions that are safe with some operands only, which [`super::flow`] checks.
const WATCHED: [(&str, &str); 2] = [("i32_ i64_", "div_s div_u rem_s rem_u"), ("memory_", "copy fill")];

/// Whether the module may contain the instruction at all.
pub fn allowed(name: &str) -> bool {
    PLAIN.iter().chain(&WATCHED).any(|(prefixes, names)| {
        let mut names = names.split_whitespace();
        if prefixes.is_empty() {
            return names.any(|known| known == name);
        }
        let rest = prefixes.split(' ').find_map(|prefix| name.strip_prefix(prefix));
        rest.is_some_and(|rest| names.any(|known| known == rest))
    })
}

/// An instruction's name, and how many values it takes and leaves, unless its immediates say that.
pub struct Shape {
    pub name: &'static str,
    pub arity: Option<(usize, usize)>,
}

/// The shape of an instruction, from the module reader's own tables.
pub fn shape(operator: &Operator<'_>) -> Shape {
    macro_rules! arity {
        (arity $taken:tt -> $left:tt) => {
            Some(($taken, $left))
        };
        (arity custom) => {
            None
        };
    }
    macro_rules! table {
        ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($arity:tt)*) )*) => {
            match operator {
                $( Operator::$op { .. } => (stringify!($visit), arity!($($arity)*)), )*
                // A later version of the reader may know more instructions.
                _ => ("visit_unknown", None),
            }
        };
    }
    let (visit, arity) = wasmparser::for_each_operator!(table);
    Shape { name: visit.trim_start_matches("visit_"), arity }
}
