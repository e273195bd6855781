import type { Answer, Command, DryRunAnswer, Failed, LinkedPlace } from '@cairn/ledger-contracts'
import type { Need } from './view.ts'

/** A command with the hashes that are computed before it enters the queue. */
export interface HashedCommand {
  command: Command
  requestHash: Buffer
  idempotencyHash: Buffer | null
}

interface Queued {
  /**
   * True if the keys of the entry and the rows that it creates are looked up before each decision.
   * If false, they may be assumed absent.
   */
  isLookedUp: boolean
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

/**
 * Queued commands that are decided together. Each command is decided on the state after the
 * previous command.
 */
interface GroupEntry extends Queued {
  members: readonly HashedCommand[]
  /**
   * The rows that were missing when the commands were last decided. These rows are loaded first.
   */
  missed: readonly Need[]
}

/** Linked commands. Either all of these commands are recorded or none is recorded. */
export interface LinkedEntry extends GroupEntry {
  isDryRun: false
  answer(answers: readonly Answer[]): void
}

/** Commands of a dry run, which are never recorded. These commands have no idempotency hashes. */
export interface DryRunEntry extends GroupEntry {
  isDryRun: true
  answer(answers: readonly DryRunAnswer[]): void
}

export type Entry = SingleEntry | LinkedEntry | DryRunEntry

/** The answer to a single command, or the answers to the members of a group. */
export type EntryAnswer = Answer | readonly Answer[] | readonly DryRunAnswer[]

/** The stored answer to an earlier command with the same idempotency key. */
export interface Settled {
  requestHash: Buffer
  answer: Answer
  /**
   * Null if the command was not linked with other commands. Otherwise the place of the command in
   * its group. `first` is the number of the group's first event, or the place of its first refusal.
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
export function answerEntry(entry: Entry, answer: EntryAnswer): void {
  // The cast is safe, because a batch contains the kind of answer that the entry takes.
  const give = entry.answer as (answer: EntryAnswer) => void
  give(answer)
}

/** Gives all commands of the entry the same failure. */
export function failEntry(entry: Entry, failed: Failed): void {
  if (entry.members === null) entry.answer(failed)
  else entry.answer(entry.members.map(() => failed))
}

/** Returns the words that name the entry in messages. */
export function formatEntry(entry: Entry): string {
  const [first, ...others] = listMembers(entry)
  const type = first?.command.type ?? 'nothing'
  return others.length === 0 ? type : `A group of ${others.length + 1} linked commands`
}

/**
 * Returns a name that is made from the keys and the content of the entry. Two entries with keys
 * have the same name only if the second entry repeats the first entry.
 */
export function formatName(entry: Entry): string {
  return listMembers(entry)
    .map(
      ({ idempotencyHash, requestHash }) =>
        `${idempotencyHash?.toString('hex')} ${requestHash.toString('hex')}`,
    )
    .join()
}
