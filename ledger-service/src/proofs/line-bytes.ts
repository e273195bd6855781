import { createReadStream } from 'node:fs'

const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * Yields the lines of a file as bytes, without the line end (LF or CR LF). `node:readline` would
 * also split at U+2028 and U+2029, which JSON text may contain. Throws a RangeError for a line
 * longer than `maxBytes`.
 */
export async function* readLines(
  file: string,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of createReadStream(file)) {
    // The stream has no encoding, so its chunks are buffers.
    let rest = chunk as Buffer
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      yield joinLine([...pieces, rest.subarray(0, at)])
      pieces = []
      length = 0
      rest = rest.subarray(at + 1)
    }
    length += rest.length
    if (length > maxBytes) throw new RangeError(`a line is longer than ${maxBytes} bytes`)
    if (rest.length > 0) pieces.push(rest)
  }
  if (pieces.length > 0) yield joinLine(pieces)
}

function joinLine(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  const line = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line
}
