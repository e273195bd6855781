import { formatReference, getAsset, type RecordedEvent } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Follower } from '../../platform/jobs/follower.ts'
import { splitReference } from './reference-words.ts'

interface CashMovement {
  option: string
  seq: bigint
  type: string
  amountMinor: bigint
  day: string
  reference: string | null
  payoutWord: string | null
}

/**
 * Creates the follower that stores the movements of each cash account, for the comparison with bank
 * statements.
 */
export function createCashFollower(): Follower {
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
    // A bank line whose movement is lost is open again, so that the movement can be recorded again.
    removeEvents: async (trx, { from, below }) => {
      for (const table of ['platform.bank_match', 'platform.cash_movement'] as const) {
        await trx
          .deleteFrom(table)
          .where('seq', '>=', String(from))
          .where('seq', '<', String(below))
          .execute()
      }
    },
  }
}

/**
 * Returns one movement for each cash account of the event, because the bank shows a deposit and its
 * fee as one amount.
 */
export function toMovements(event: RecordedEvent): CashMovement[] {
  const byOption = new Map<string, bigint>()
  for (const { account, amountMinor } of event.postings) {
    // Only movements in the currency of the site are stored, because bank statements are in this
    // currency.
    if (!account.startsWith('cash:') || getAsset(account) !== null) continue
    const option = account.slice('cash:'.length)
    // The ledger stores an incoming amount as a debit, which is negative, so the sign is changed.
    byOption.set(option, (byOption.get(option) ?? 0n) - amountMinor)
  }
  const { seq, type } = event
  // The day in UTC. The day at the bank can be one day earlier or later; the matching accepts this
  // difference.
  const day = event.effectiveAt.slice(0, 10)
  const { reference, payoutWord } = readReferences(event.data)
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

function readReferences(data: unknown): { reference: string | null; payoutWord: string | null } {
  // The cast is safe because the data of each event is an object.
  const { transactionId, payoutReference } = data as Record<string, unknown>
  return {
    reference: typeof transactionId === 'string' ? formatReference(transactionId) : null,
    payoutWord:
      typeof payoutReference === 'string' ? (splitReference(payoutReference).at(-1) ?? null) : null,
  }
}
