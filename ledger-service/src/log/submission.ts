import { type Command, type Failed, NotCanonical } from '@cairn/ledger-contracts'
import type { DryRunEntry, HashedCommand, LinkedEntry, SingleEntry } from './entry.ts'
import { hashIdempotencyKey, hashRequest } from './envelope.ts'
import type { Model } from './model.ts'

interface Queueing extends Pick<Model, 'canDecide'> {
  nowMs: number
}

/** Creates the entry of a command, or returns the failure if the command has no canonical form. */
export function toEntry(command: Command, { nowMs, canDecide }: Queueing): SingleEntry | Failed {
  if (!canDecide(command))
    return createMalformedFailure('This program does not know this version of the rules')
  try {
    const { requestHash, length } = hashRequest(command)
    return {
      command,
      requestHash,
      idempotencyHash: hashIdempotencyKey(command),
      members: null,
      isLookedUp: false,
      queuedAtMs: nowMs,
      bytes: length,
      answer: () => {},
      lose: () => {},
    }
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error
    return createMalformedFailure(error.message)
  }
}

/** Creates the entry of linked commands, or returns one failure for each command. */
export function toLinkedEntry(
  commands: readonly Command[],
  queueing: Queueing,
): LinkedEntry | readonly Failed[] {
  const members: HashedCommand[] = []
  let bytes = 0
  for (const [index, command] of commands.entries()) {
    const entry = toEntry(command, queueing)
    if ('outcome' in entry) return failLinkedCommands(commands.length, { index, failed: entry })
    const { requestHash, idempotencyHash } = entry
    members.push({ command, requestHash, idempotencyHash })
    bytes += entry.bytes
  }
  const why = findKeyProblem(commands)
  if (why !== null) return commands.map(() => createMalformedFailure(why))
  const queued = { queuedAtMs: queueing.nowMs, bytes, answer: () => {}, lose: () => {} }
  return { ...queued, isLookedUp: false, members, missed: [], isDryRun: false }
}

/**
 * Creates the entry of commands that are only decided, or returns one failure for each command. The
 * entry has no idempotency hashes, so no key is looked up or used.
 */
export function toDryRunEntry(
  commands: readonly Command[],
  queueing: Queueing,
): DryRunEntry | readonly Failed[] {
  if (commands.length === 0) return []
  const entry = toLinkedEntry(
    commands.map((command) => ({ ...command, key: null })),
    queueing,
  )
  if (!('members' in entry)) return entry
  // The rows are looked up, because no insert checks what a dry run assumes.
  return { ...entry, answer: () => {}, isDryRun: true, isLookedUp: true }
}

/**
 * Returns one failure per command. The command at `index` has its own failure. The failures of the
 * other commands name `index`.
 */
export function failLinkedCommands(
  length: number,
  { index, failed }: { index: number; failed: Failed },
): readonly Failed[] {
  const message = `Nothing was recorded, because linked command ${index} failed`
  const other: Failed = { ...failed, message }
  return Array.from({ length }, (_, place) => (place === index ? failed : other))
}

/**
 * Returns a problem unless every command of the group has a key or none has a key. If only some
 * commands had keys, the ledger could recognize only these commands when the group is repeated.
 */
function findKeyProblem(commands: readonly Command[]): string | null {
  const keys = commands.flatMap(({ actor, key }) => (key === null ? [] : [`${actor} ${key}`]))
  if (keys.length === 0) return null
  if (keys.length < commands.length) {
    return 'Either all linked commands have an idempotency key, or none of them has one'
  }
  if (new Set(keys).size === keys.length) return null
  return 'Two linked commands have the same idempotency key'
}

function createMalformedFailure(message: string): Failed {
  return { outcome: 'failed', code: 'MALFORMED', message }
}
