import type { Answer, Command, LinkedPlace } from '@cairn/ledger-contracts'
import type { Need } from './view.ts'

/** A command with the hashes that are computed before it enters the queue. */
export interface HashedCommand {
  command: Command
  requestHash: Buffer
  idempotencyHash: Buffer | null
}

interface Queued {
  queuedAtMs: number
  bytes: number
  /** Called instead of `answer` if the outcome is not known. */
  lose(error: unknown): void
}

/** A queued command. */
export interface SingleEntry extends HashedCommand, Queued {
  members: null
  answer(answer: Answer): void
}

/** Queued commands that are decided as one: all of them are recorded or none. */
export interface LinkedEntry extends Queued {
  members: readonly HashedCommand[]
  /** The rows that were missing when the commands were decided before, so they are loaded first. */
  missed: readonly Need[]
  answer(answers: readonly Answer[]): void
}

export type Entry = SingleEntry | LinkedEntry

/** The answer to a single command, or those to the members of a group. */
export type EntryAnswer = Answer | readonly Answer[]

/** The stored answer to an earlier command with the same idempotency key. */
export interface Settled {
  requestHash: Buffer
  answer: Answer
  /**
   * Null if the command was not linked with others. Otherwise its place in its group; `first` is the
   * sequence number of the first event of the group, or the place of its first refusal.
   */
  linked: (LinkedPlace & { first: bigint }) | null
}

/** Returns the number of commands in the entry. */
export function countCommands({ members }: Entry): number {
  return members === null ? 1 : members.length
}

export function listMembers(entry: Entry): readonly HashedCommand[] {
  return entry.members ?? [entry]
}

/** Gives the entry the answer that its batch contains. */
export function giveAnswer(entry: Entry, answer: EntryAnswer): void {
  // The casts hold because a batch contains a list of answers exactly for linked commands.
  if (entry.members === null) entry.answer(answer as Answer)
  else entry.answer(answer as readonly Answer[])
}

/** Gives all commands of the entry the same answer. */
export function giveAllTheSame(entry: Entry, answer: Answer): void {
  if (entry.members === null) entry.answer(answer)
  else entry.answer(entry.members.map(() => answer))
}

/** Returns the words that name the entry in messages. */
export function formatEntry(entry: Entry): string {
  return entry.members === null
    ? entry.command.type
    : `A group of ${entry.members.length} linked commands`
}

/**
 * Returns a name of the keys and the content of the entry. Two entries with keys have the same name
 * only if one is a repetition of the other.
 */
export function formatName(entry: Entry): string {
  return listMembers(entry)
    .map(
      ({ idempotencyHash, requestHash }) =>
        `${idempotencyHash?.toString('hex')} ${requestHash.toString('hex')}`,
    )
    .join()
}
