import { randomBytes } from 'node:crypto'

/**
 * Returns a random number of 63 bits, because PostgreSQL stores a bigint as 64 bits with a sign.
 */
export function createFencingToken(): bigint {
  return randomBytes(8).readBigUInt64BE() >> 1n
}
