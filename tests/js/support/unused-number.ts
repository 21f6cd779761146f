/** Fixed fields that no other test of a file uses, because generators of one identity share their state, whatever their clocks. */

let numbers = 0;

/** A number from 1 to 1023, which fits the smallest fields (as two halves of 5 bits if there are two fields). */
export function numberOfItsOwn(): number {
  if (numbers === 1023) {
    throw new Error("no number is left; take an epoch of its own");
  }
  return ++numbers;
}
