import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 16_384

let pool = Buffer.alloc(0)

/**
 * Takes random bytes from a pool, because one call of the random generator per salt takes ten times
 * as long.
 */
export function takeRandomBytes(bytes: number): Buffer {
  // A new buffer is allocated instead of refilling the old buffer, because results that were
  // returned before still refer to the old buffer.
  if (pool.length < bytes)
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, bytes)))
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}
