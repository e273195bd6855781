/** A file of the write-ahead log. The numbers of the files continue across timelines. */
export interface Segment {
  readonly timeline: number
  readonly number: number
}

/** The point at which a timeline ended because a restored server began the next timeline. */
interface TimelineEnd {
  readonly timeline: number
  /**
   * The segment in which the timeline ended. The next timeline has its own copy of this segment.
   */
  readonly segment: number
}

export const SEGMENT_BYTES = 16 * 1024 ** 2
const SEGMENTS_PER_FILE_ID = 2 ** 32 / SEGMENT_BYTES
const NAME = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/

/** Returns null if the text is not the name of a segment. */
export function parseSegment(name: string): Segment | null {
  const [, timeline, fileId, part] = NAME.exec(name) ?? []
  if (timeline === undefined || fileId === undefined || part === undefined) return null
  const number = Number.parseInt(fileId, 16) * SEGMENTS_PER_FILE_ID + Number.parseInt(part, 16)
  return { timeline: Number.parseInt(timeline, 16), number }
}

export function formatSegment({ timeline, number }: Segment): string {
  const fileId = Math.floor(number / SEGMENTS_PER_FILE_ID)
  return [timeline, fileId, number % SEGMENTS_PER_FILE_ID].map(formatHex).join('')
}

/** Parses a position such as `0/3000148`, which counts the bytes of the log. */
export function parsePosition(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`)
}

/** Returns the number of the segment that contains the position. */
export function findSegmentNumber(position: string): number {
  return Number(parsePosition(position) / BigInt(SEGMENT_BYTES))
}

/** Parses a `.history` file: the ends of all timelines before the timeline of the file. */
export function parseTimelineHistory(text: string): readonly TimelineEnd[] {
  return text
    .split('\n')
    .map((line) => /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line))
    .filter((found) => found !== null)
    .map(([, timeline = '', position = '']) => ({
      timeline: Number(timeline),
      segment: findSegmentNumber(position),
    }))
}

/** Returns the timeline whose copy of a segment belongs to the history of the newest timeline. */
export function findTimeline(
  number: number,
  { newest, ends }: { newest: number; ends: readonly TimelineEnd[] },
): number {
  return ends.find(({ segment }) => number < segment)?.timeline ?? newest
}

const formatHex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
