import { hash } from 'node:crypto'

/** Writes the hash into a caller-supplied buffer, to avoid allocation in hot loops. */
export function sha256Into(content: Buffer, target: Buffer, at: number): void {
  target.write(hash('sha256', content, 'binary'), at, 'binary')
}

/** Uses the one-shot `hash` with a binary string: a Hash object costs more than the hashing. */
export function sha256(content: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', content, 'binary'), 'binary')
}
