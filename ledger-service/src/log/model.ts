import type { Command, Fact, Posting, RefusalCode } from '@cairn/ledger-contracts'
import type { Table } from './table.ts'
import type { Need, View } from './view.ts'

export interface Context {
  actor: string
  /** When the event will be recorded, and when it happened in the world. */
  recordedAtMs: number
  effectiveAtMs: number
}

export interface Refusal {
  code: RefusalCode
  message: string
  details: Readonly<Record<string, string>>
}

export type Decision =
  | { refusal: Refusal }
  | { fact: Fact; postings: readonly Posting[]; effectiveAtMs: number }

/** An event with its place in the log, as state evolves from it. */
export interface PlacedEvent {
  fact: Fact
  postings: readonly Posting[]
  seq: bigint
  actor: string
  recordedAtMs: number
  effectiveAtMs: number
}

/** The rule book the writer runs: pure, reading nothing but the view and its arguments. */
export interface Model {
  /** The projections, each written in the batch's own statement. */
  tables: readonly Table[]
  /** Tables that are loaded whole and never forgotten. */
  pinned: readonly Table[]
  needs(command: Command, view: View): readonly Need[]
  decide(command: Command, view: View, context: Context): Decision
  evolve(event: PlacedEvent, view: View): void
  balanceOf(view: View, account: string): bigint
}

export function refuse(
  code: RefusalCode,
  message: string,
  details: Readonly<Record<string, string>> = {},
): { refusal: Refusal } {
  return { refusal: { code, message, details } }
}
