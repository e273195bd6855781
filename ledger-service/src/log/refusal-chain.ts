import { type Command, type LinkedPlace, parseCommand, toJson } from '@cairn/ledger-contracts'
import type { Refusal } from './model.ts'
import { hashSha256 } from './sha256.ts'

/**
 * The stored refusals of a ledger. Each hash covers the previous hash and the bytes of one refusal,
 * so the newest hash covers all refusals.
 */
export interface RefusalChain {
  count: bigint
  hash: Buffer
}

export const EMPTY_CHAIN: RefusalChain = { count: 0n, hash: Buffer.alloc(32) }

/** A stored refusal with all that is needed to decide its command again. */
export interface StoredRefusal {
  ledger: number
  /** The number of refusals that were stored before this refusal. */
  place: bigint
  /** The size of the log when the command was decided. */
  size: bigint
  recordedAtMs: number
  command: Command
  refusal: Refusal
  /**
   * The place of the command in its group of linked commands. The refusals of a group follow each
   * other directly. If the command was not linked, the place is null and is not in the bytes.
   */
  linked: LinkedPlace | null
}

/**
 * Returns the bytes of the refusal. `salt` is 16 random bytes, so that the refusal cannot be
 * guessed from a published hash.
 */
export function encodeRefusal({ linked, ...stored }: StoredRefusal, salt: Buffer): Buffer {
  const members = {
    ...stored,
    ...(linked !== null && { linked }),
    salt: salt.toString('base64url'),
  }
  return Buffer.from(toJson(members), 'utf8')
}

export function decodeRefusal(bytes: Buffer): StoredRefusal {
  const stored = JSON.parse(bytes.toString('utf8'))
  const { ledger, place, size, recordedAtMs, command, refusal, linked = null } = stored
  return {
    ledger,
    place: BigInt(place),
    size: BigInt(size),
    recordedAtMs,
    command: parseCommand(command),
    refusal,
    linked,
  }
}

/** Returns the place of the refused command among linked commands, or null if it was not linked. */
export function readLinkedPlace(bytes: Buffer): LinkedPlace | null {
  return JSON.parse(bytes.toString('utf8')).linked ?? null
}

export function extendChain({ count, hash }: RefusalChain, bytes: Buffer): RefusalChain {
  return { count: count + 1n, hash: hashSha256(Buffer.concat([hash, bytes])) }
}
