import { type EventType, OWN_EVENT_TYPES, type RecordedEvent } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { SERVER } from '../../domain/controls/approver.ts'
import { readEvent } from '../../log/envelope.ts'

/** The types of the events that are copied to the further ledgers of a site. */
export const COPIED_TYPES = [
  'PlanDefined',
  'MoneyRulesSet',
  'CurrencyChosen',
  'ApproverAdded',
  'ApproverRemoved',
  'DualControlSet',
] as const satisfies readonly EventType[]
export type CopiedType = (typeof COPIED_TYPES)[number]

/** The maximum number of events of `OWN_EVENT_TYPES` before the first other event. */
const OWN_EVENTS_MAX = 1_000
/** The maximum number of events that one read scans. */
const SCAN_EVENTS = 50_000n
/** Numbers have leading zeros, so that external ids have the order of their numbers. */
const DIGITS = 16

/** The plans, rules and approvers in the log of a ledger. */
export interface RuleLog {
  /**
   * Reads at most `limit` events of the copied types, in a limited part of the log from event
   * `start` on. `through` is the number of the event after this part.
   */
  read(page: { start: bigint; limit: number }): Promise<RulePage>
  /** Finds the newest copy of an event of the ledger `from`. */
  findNewestCopy(from: number): Promise<RecordedEvent | null>
  /** Finds the first event that is not about a signing key or an ended month. */
  findFirstEvent(): Promise<RecordedEvent | null>
  /** Returns the event with this number; null if there is none. */
  findEvent(seq: bigint): Promise<RecordedEvent | null>
}

export interface RulePage {
  events: readonly RecordedEvent[]
  through: bigint
  size: bigint
}

export function createRuleLog({ pool, ledger }: { pool: pg.Pool; ledger: number }): RuleLog {
  async function select(text: string, values: readonly unknown[]): Promise<RecordedEvent[]> {
    const { rows } = await pool.query<{ bytes: Buffer }>(
      `select bytes from ledger.event where ledger_id = $1 and ${text}`,
      [ledger, ...values],
    )
    return rows.map(({ bytes }) => readEvent(bytes))
  }

  return {
    read: async ({ start, limit }) => {
      const head = await pool.query<{ size: bigint }>(
        'select size from ledger.head where ledger_id = $1',
        [ledger],
      )
      const size = head.rows[0]?.size ?? 0n
      const end = start + SCAN_EVENTS < size ? start + SCAN_EVENTS : size
      const events = await select(
        'seq >= $2 and seq < $3 and type = any($4) order by seq limit $5',
        [start, end, COPIED_TYPES, limit],
      )
      const last = events.length === limit ? events.at(-1) : undefined
      return { events, through: last === undefined ? end : last.seq + 1n, size }
    },
    findNewestCopy: async (from) => {
      const range = 'external_id >= $2 and external_id < $3'
      const [newest = null] = await select(
        `${range} and actor = $4 order by external_id desc limit 1`,
        [`copy:${from}:`, `copy:${from};`, SERVER],
      )
      return newest
    },
    findFirstEvent: async () => {
      const [first = null] = await select('seq < $2 and type <> all($3) order by seq limit 1', [
        OWN_EVENTS_MAX,
        OWN_EVENT_TYPES,
      ])
      return first
    },
    findEvent: async (seq) => (await select('seq = $2', [seq]))[0] ?? null,
  }
}

/** Returns the external id of the copy of an event. */
export function formatCopyId(from: number, seq: bigint): string {
  return `copy:${from}:${String(seq).padStart(DIGITS, '0')}`
}

/** Returns the number of the copied event; null if the event is no copy from the ledger `from`. */
export function parseCopyId(from: number, event: RecordedEvent): bigint | null {
  const { actor, externalId } = event
  const prefix = `copy:${from}:`
  if (actor !== SERVER || externalId === null || !externalId.startsWith(prefix)) return null
  return BigInt(externalId.slice(prefix.length))
}
