import { hash } from 'node:crypto'

/** In one call, by way of text: a Hash object, or a buffer made for each, costs more than the hashing. */
export function sha256(content: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', content, 'binary'), 'binary')
}
