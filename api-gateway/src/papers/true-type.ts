import type { PathCommand } from 'fontkit'

/** Of the height of a letter. */
export const EM = 1000
const ON_CURVE = 1
/** How to search a directory of six tables by halves. */
const SEARCH = [64, 2, 32]

export interface Outline {
  commands: readonly PathCommand[]
  advanceWidth: number
}

/** A font file of these outlines, in thousandths of the letter's height: what a PDF asks of one, no more. */
export function writeTrueType(
  outlines: readonly Outline[],
  line: { ascent: number; descent: number },
): Buffer {
  const letters = outlines.map(toLetter)
  const ends = [0]
  for (const { bytes } of letters) ends.push((ends.at(-1) ?? 0) + bytes.length)
  const box = boxOf(letters.flatMap(({ box }) => [box.slice(0, 2), box.slice(2)]))
  const widest = Math.max(...outlines.map(({ advanceWidth }) => advanceWidth))
  const most = Math.max(...letters.map(({ points }) => points))
  return toFile({
    glyf: Buffer.concat(letters.map(({ bytes }) => bytes)),
    // Version, magic number, units of the em, no dates, the box, and long offsets in `loca`.
    head: words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, EM, ...zeros(8), ...box, 0, 8, 2, 1, 0),
    hhea: words(
      1,
      0,
      line.ascent,
      line.descent,
      0,
      widest,
      0,
      0,
      0,
      1,
      ...zeros(7),
      letters.length,
    ),
    hmtx: words(
      ...letters.flatMap(({ box }, place) => [outlines[place]?.advanceWidth ?? 0, box[0] ?? 0]),
    ),
    loca: words(...ends.flatMap((end) => [end >>> 16, end])),
    maxp: words(1, 0, letters.length, most, most, 0, 0, 1, ...zeros(8)),
  })
}

interface Letter {
  bytes: Buffer
  points: number
  box: readonly number[]
}

function toLetter({ commands }: Outline): Letter {
  const points: { x: number; y: number; flag: number }[] = []
  const ends: number[] = []
  for (const { command, args } of commands) {
    if (command === 'closePath') ends.push(points.length - 1)
    // The points of a command steer the curve, except the last, which lies on it.
    for (let place = 0; place < args.length; place += 2) {
      const isLast = place + 2 === args.length
      const [x = 0, y = 0] = args.slice(place).map(Math.round)
      points.push({ x, y, flag: isLast ? ON_CURVE : 0 })
    }
  }
  if (ends.length === 0) return { bytes: Buffer.alloc(0), points: 0, box: zeros(4) }
  const box = boxOf(points.map(({ x, y }) => [x, y]))
  const bytes = Buffer.concat([
    words(ends.length, ...box, ...ends, 0),
    Buffer.from(points.map(({ flag }) => flag)),
    words(...points.map(({ x }, place) => x - (points[place - 1]?.x ?? 0))),
    words(...points.map(({ y }, place) => y - (points[place - 1]?.y ?? 0))),
  ])
  return { bytes: evened(bytes), points: points.length, box }
}

function boxOf(corners: readonly (readonly number[])[]): readonly number[] {
  const xs = corners.map(([x = 0]) => x)
  const ys = corners.map(([, y = 0]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** The tables behind their directory, without the sums that nobody looks at in a PDF. */
function toFile(tables: Readonly<Record<string, Buffer>>): Buffer {
  const named = Object.entries(tables)
  let offset = 12 + 16 * named.length
  const directory = named.map(([name, { length }]) => {
    const entry = [Buffer.from(name), words(0, 0, offset >>> 16, offset, length >>> 16, length)]
    offset += length + (-length & 3)
    return Buffer.concat(entry)
  })
  const bodies = named.map(([, table]) => evened(table))
  return Buffer.concat([words(1, 0, named.length, ...SEARCH), ...directory, ...bodies])
}

function evened(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}

/** Sixteen bits each. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, place) => {
    bytes.writeUInt16BE(value & 0xffff, place * 2)
  })
  return bytes
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0)
}
