import { type RecordedEvent, referenceOf } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Follower } from '../../platform/jobs/follower.ts'
import { wordsOf } from './words.ts'

interface CashMovement {
  option: string
  seq: bigint
  type: string
  amountMinor: bigint
  day: string
  reference: string | null
  payoutWord: string | null
}

/** Keeps what moved on each cash account, for statements of banks to be laid beside it. */
export function cashFollower(): Follower {
  return {
    name: 'cash.v1',
    handle: async (events, trx) => {
      const rows = events.flatMap(toMovements)
      await sql`
        insert into platform.cash_movement
          (option, seq, type, amount_minor, effective_on, reference, payout_word)
        select * from unnest(${rows.map(({ option }) => option)}::text[],
          ${rows.map(({ seq }) => String(seq))}::bigint[],
          ${rows.map(({ type }) => type)}::text[],
          ${rows.map(({ amountMinor }) => String(amountMinor))}::bigint[],
          ${rows.map(({ day }) => day)}::date[],
          ${rows.map(({ reference }) => reference)}::text[],
          ${rows.map(({ payoutWord }) => payoutWord)}::text[])
      `.execute(trx)
    },
  }
}

/** One for each cash account of the event: a deposit and its fee arrive in the bank as one amount. */
export function toMovements(event: RecordedEvent): CashMovement[] {
  const byOption = new Map<string, bigint>()
  for (const { account, amountMinor } of event.postings) {
    if (!account.startsWith('cash:')) continue
    const option = account.slice('cash:'.length)
    // Money in the bank is a debit in these books.
    byOption.set(option, (byOption.get(option) ?? 0n) - amountMinor)
  }
  const { seq, type } = event
  // By UTC; a bank's own day may be the next one, which the days between them allow for.
  const day = event.effectiveAt.slice(0, 10)
  const { reference, payoutWord } = namesOf(event.data)
  return [...byOption]
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .map(([option, amountMinor]) => ({
      option,
      seq,
      type,
      amountMinor,
      day,
      reference,
      payoutWord,
    }))
}

function namesOf(data: unknown): { reference: string | null; payoutWord: string | null } {
  // Every event's content is an object; which one it is does not matter here.
  const { transactionId, payoutReference } = data as Record<string, unknown>
  return {
    reference: typeof transactionId === 'string' ? referenceOf(transactionId) : null,
    payoutWord:
      typeof payoutReference === 'string' ? (wordsOf(payoutReference).at(-1) ?? null) : null,
  }
}
