import { createHash } from 'node:crypto'

const PLACE_MAX = 2 ** 48

/**
 * Returns a UUID (version 8) that depends only on the key, so that the same work is queued once.
 * The UUID starts with `place`, so that ids are sorted by the order of events.
 */
export function createJobId(key: string, place: bigint): string {
  const hash = createHash('sha256').update(key).digest()
  hash.writeUIntBE(Number(place % BigInt(PLACE_MAX)), 0, 6)
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex')
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, index) => hex.slice(index === 0 ? 0 : ends[index - 1], end)).join('-')
}
