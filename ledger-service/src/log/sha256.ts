import { hash } from 'node:crypto'

/** Into a buffer that is there, for whoever hashes by the hundred: nothing of it is left to clean up. */
export function sha256Into(content: Buffer, target: Buffer, at: number): void {
  target.write(hash('sha256', content, 'binary'), at, 'binary')
}

/** In one call, by way of text: a Hash object, or a buffer made for each, costs more than the hashing. */
export function sha256(content: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', content, 'binary'), 'binary')
}
