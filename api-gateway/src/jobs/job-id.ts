import { createHash } from 'node:crypto'

/** The same work has the same id (a UUID, version 8), so making its job twice makes one. */
export function jobIdOf(key: string): string {
  const hash = createHash('sha256').update(key).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex')
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, index) => hex.slice(index === 0 ? 0 : ends[index - 1], end)).join('-')
}
