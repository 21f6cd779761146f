/**
 * Values for fixed fields that no other test in a file uses. Generators of one identity share their
 * state, even if their clocks differ.
 */

let numbers = 0;

/**
 * A number from 1 to 1023, which fits the smallest fields (two fields of 5 bits share it as
 * halves).
 */
export function numberOfItsOwn(): number {
  if (numbers === 1023) {
    throw new Error("no number is left; take an epoch of its own");
  }
  return ++numbers;
}
