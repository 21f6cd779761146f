/** Parts of the drawings of `graupel inspect`. */
import { linesOf } from "./run.ts";

/** The fields and the times below the grid of the known Discord ID, where there are at least 60 columns. */
export const discordFields = `\
    a  time               41944705796  bits 63–22  42 wide
    b  internalWorkerId             1  bits 21–17   5 wide
    c  internalProcessId            0  bits 16–12   5 wide
    d  increment                    7  bits 11–0   12 wide

    time     2016-04-30T11:18:25.796Z
    unix ms  1462015105796
    ticks    of 1 ms since 2015-01-01T00:00:00.000Z
    hex      0271065ac1020007
`;

/** The lines of a drawing that show bits. */
export const rowsOf = (drawing: string): string[] =>
  linesOf(drawing).filter((line) => /^ +\d+ {2}│[01 │]+│ {2}\d+$/.test(line));

/** The bits that such a line shows. */
export const bitsOf = (row: string): string =>
  row.slice(row.indexOf("│"), row.lastIndexOf("│")).replace(/[^01]/g, "");
