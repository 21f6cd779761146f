/** Converts a sno's 16 characters to the 16 bytes of a UUID, and back. */
import { fail, rangeError, show, typeError } from "../../errors.js";

/** The groups of a UUID's 32 hexadecimal digits. */
const GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const UUID_LENGTH = 36;

/** The characters of a sno as a UUID. */
export function toUUID(id: string): string {
  const hex = Array.from(id, (character) => character.charCodeAt(0).toString(16)).join("");
  return hex.replace(GROUPS, "$1-$2-$3-$4-$5");
}

/** The inverse of `toUUID`. `isValid`: whether a text is a sno. */
export function fromUUID(uuid: string, isValid: (text: string) => boolean): string {
  if (typeof uuid !== "string") {
    typeError("uuid", uuid, "a string");
  }
  if (uuid.length !== UUID_LENGTH) {
    rangeError("uuid", uuid.length, UUID_LENGTH, UUID_LENGTH, `${UUID_LENGTH} characters`, "LENGTH");
  }
  const hyphens = [8, 13, 18, 23];
  const wrong = [...uuid].findIndex((c, i) => !(hyphens.includes(i) ? /-/ : /[\da-f]/i).test(c));
  const hex = uuid.replaceAll("-", "");
  const text = hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  if (wrong >= 0 || !isValid(text)) {
    const position = wrong < 0 ? undefined : wrong;
    fail(
      "CHARACTER",
      "uuid",
      uuid,
      `uuid: expected the hexadecimal bytes of a sno's characters, got ${show(uuid)}`,
      position,
      position,
    );
  }
  return text;
}
