/** Lines of a byte stream, in constant memory for every input. */

/** The most bytes of a line: far more than the longest text of any ID. */
const longestLine = 4096;

/** How much of a longer line is kept for the error. */
const shownOfLonger = 64;

export interface Line {
  /** The line without its end (`\n` or `\r\n`). If it is too long, only its beginning. */
  readonly text: string;
  /** The number of bytes, if the line is too long to be read. */
  readonly tooLong?: number;
}

/** A line from a text that is already in memory. */
export function lineOf(text: string): Line {
  const bytes = Buffer.from(text);
  return bytes.length <= longestLine ? { text } : cut(bytes, bytes.length);
}

/**
 * Yields the lines of each chunk together, so that they can be answered at once. Decodes line by
 * line, never chunk by chunk, because a chunk may end inside a character.
 */
export async function* lines(input: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  // A line that started in an earlier chunk: the kept bytes, and its true length.
  let kept: Buffer[] = [];
  let length = 0;

  for await (const chunk of input) {
    const found: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      found.push(finish([...kept, chunk.subarray(start, end)], length + end - start));
      kept = [];
      length = 0;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    // One byte more than the limit, because the last byte may be a carriage return.
    const room = longestLine + 1 - length;
    // A copy, so that the rest of a line does not keep its whole chunk in memory.
    if (room > 0 && rest.length > 0) kept.push(Buffer.from(rest.subarray(0, room)));
    length += rest.length;
    if (found.length > 0) yield found;
  }
  // The last line may lack a line break. After a line break at the end, there is no further line.
  if (length > 0) yield [finish(kept, length)];
}

function finish(pieces: readonly Buffer[], length: number): Line {
  const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  const end = line.length === length && line.at(-1) === 13 ? length - 1 : length;
  return end <= longestLine ? { text: line.toString("utf8", 0, end) } : cut(line, end);
}

function cut(line: Buffer, length: number): Line {
  return { text: `${line.toString("utf8", 0, shownOfLonger)}…`, tooLong: length };
}
