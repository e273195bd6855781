import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 16_384

let pool = Buffer.alloc(0)

/** Random bytes, each handed out once: a call of the generator for every few costs ten times more. */
export function pooledRandom(bytes: number): Buffer {
  // Never filled again in place: what was handed out is still somebody's.
  if (pool.length < bytes)
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, bytes)))
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}
