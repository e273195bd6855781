import { hash } from 'node:crypto'

/** Writes the hash into the given buffer, to avoid an allocation per hash. */
export function writeSha256(content: Buffer, target: Buffer, at: number): void {
  target.write(hash('sha256', content, 'binary'), at, 'binary')
}

/** The one-shot `hash` with a binary string is faster than a Hash object. */
export function hashSha256(content: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', content, 'binary'), 'binary')
}
