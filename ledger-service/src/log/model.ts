import {
  type Command,
  type Control,
  describeRefusal,
  type Fact,
  type Posting,
  type RefusalArguments,
  type RefusalCause,
  type RefusalCode,
} from '@cairn/ledger-contracts'
import type { Table } from './table.ts'
import type { Need, View } from './view.ts'

export interface Context {
  actor: string
  /**
   * `recordedAtMs` is the time of the recording. `effectiveAtMs` is the time at which the fact
   * happened.
   */
  recordedAtMs: number
  effectiveAtMs: number
  /** SHA-256 of the command's type, data, effective time, external id and metadata. */
  requestHash: Buffer
}

export interface Refusal {
  code: RefusalCode
  message: string
  details: Readonly<Record<string, string>>
}

export type Decision =
  | { refusal: Refusal }
  | {
      fact: Fact
      postings: readonly Posting[]
      effectiveAtMs: number
      /** Omitted if the event needs no approver. */
      control?: Control
    }

/** An event with its sequence number. Evolvers apply it to the projections. */
export interface PlacedEvent {
  fact: Fact
  postings: readonly Posting[]
  seq: bigint
  actor: string
  recordedAtMs: number
  effectiveAtMs: number
  /** Null if the event needs no approver. */
  control: Control | null
}

/** The commands that can give an event. They differ in parts that the event does not repeat. */
export interface PossibleCommands {
  /** At least one command, the most likely one first. */
  commands: readonly Pick<Command, 'type' | 'data'>[]
  /** False if the submitted command can have had a part that is in none of `commands`. */
  isComplete: boolean
}

/**
 * The rules that the writer applies. Its functions have no side effects except changes to the view.
 */
export interface Model {
  /**
   * The newest version of the rules that this model can apply. If a newer version is in force, a
   * writer with this model cannot take over the log.
   */
  version: number
  /**
   * The tables of the projections. Changed rows are written in the same statement as the events.
   */
  tables: readonly Table[]
  /** Tables that are loaded completely and never evicted. */
  pinned: readonly Table[]
  needs(command: Command, view: View): readonly Need[]
  decide(command: Command, view: View, context: Context): Decision
  evolve(event: PlacedEvent, view: View): void
  /** Returns the version of the rules in force. It changes only by an event. */
  findVersion(view: View): number
  /** False if the command activates a version of the rules that this model does not know. */
  canDecide(command: Command): boolean
  /** Returns the commands that can give this event when they are decided on the state before it. */
  listCommandsOf(fact: Fact, view: View): PossibleCommands
  getBalance(view: View, account: string): bigint
}

export function refuse<Cause extends RefusalCause>(
  cause: Cause,
  ...details: RefusalArguments<Cause>
): { refusal: Refusal } {
  return { refusal: describeRefusal(cause, ...details) }
}
