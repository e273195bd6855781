import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 16_384

let pool = Buffer.alloc(0)

/** Returns random bytes from a pool, each byte once. One generator call per salt costs ten times more. */
export function createPooledRandom(bytes: number): Buffer {
  // A new buffer each time: earlier results still refer to the old one.
  if (pool.length < bytes)
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, bytes)))
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}
