import { type Command, parseCommand, toJson } from '@cairn/ledger-contracts'
import type { Refusal } from './model.ts'
import { sha256 } from './sha256.ts'

/**
 * The stored refusals of a ledger. Each hash covers the hash before it and the bytes of one
 * refusal, so the newest one covers all of them.
 */
export interface RefusalChain {
  count: bigint
  hash: Buffer
}

export const EMPTY_CHAIN: RefusalChain = { count: 0n, hash: Buffer.alloc(32) }

/** A stored refusal with all that is needed to decide its command again. */
export interface StoredRefusal {
  ledger: number
  /** The number of refusals that were stored before this one. */
  place: bigint
  /** The number of events on which the command was decided. */
  size: bigint
  recordedAtMs: number
  command: Command
  refusal: Refusal
}

/** `salt` is 16 random bytes, so that a refusal cannot be guessed from a published hash. */
export function encodeRefusal(stored: StoredRefusal, salt: Buffer): Buffer {
  return Buffer.from(toJson({ ...stored, salt: salt.toString('hex') }), 'utf8')
}

export function decodeRefusal(bytes: Buffer): StoredRefusal {
  const { ledger, place, size, recordedAtMs, command, refusal } = JSON.parse(bytes.toString('utf8'))
  return {
    ledger,
    place: BigInt(place),
    size: BigInt(size),
    recordedAtMs,
    command: parseCommand(command),
    refusal,
  }
}

export function extendChain({ count, hash }: RefusalChain, bytes: Buffer): RefusalChain {
  return { count: count + 1n, hash: sha256(Buffer.concat([hash, bytes])) }
}
