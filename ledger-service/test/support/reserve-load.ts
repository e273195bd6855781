import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, createId, type LedgerClient } from '@cairn/ledger-contracts'
import { expect } from 'vitest'

const RETRY_MS = 20
const LOOPS = 4

/** Sends the command FundReserve with an id. Returns null if the service did not answer. */
export type Fund = (transactionId: string) => Promise<Answer | null>

export interface FundingLoad {
  /** The sequence number of each acknowledged command, by its id. */
  readonly acknowledged: ReadonlyMap<string, bigint>
  /** Waits until 50 more commands are acknowledged. */
  waitForMore(): Promise<void>
  stop(): Promise<ReadonlyMap<string, bigint>>
  /** Returns the longest time until a command was acknowledged. */
  getLongestMs(): number
}

export const describeFunding = (transactionId: string) => ({
  transactionId,
  amountMinor: 100n,
  note: null,
})

export const fundReserve = (client: LedgerClient, transactionId: string) =>
  client.submit({
    type: 'FundReserve',
    data: describeFunding(transactionId),
    actor: 'system:test',
    key: transactionId,
    requestId: null,
    effectiveAt: null,
  })

/** Funds the reserve without a pause until `stop` is called. Repeats an unanswered command. */
export function startFundingLoad(fund: Fund): FundingLoad {
  const acknowledged = new Map<string, bigint>()
  let isRunning = true
  let longestMs = 0
  const loop = async () => {
    let answeredAt = performance.now()
    while (isRunning) {
      const id = createId(Date.now())
      let answer: Answer | null = null
      while (isRunning && answer?.outcome !== 'recorded') {
        answer = await fund(id).catch(() => null)
        if (answer?.outcome !== 'recorded') await delay(RETRY_MS)
      }
      longestMs = Math.max(longestMs, performance.now() - answeredAt)
      answeredAt = performance.now()
      if (answer?.outcome === 'recorded') acknowledged.set(id, answer.event.seq)
    }
  }
  const loops = Array.from({ length: LOOPS }, loop)
  return {
    acknowledged,
    waitForMore: async () => {
      const wanted = acknowledged.size + 50
      await expect.poll(() => acknowledged.size).toBeGreaterThan(wanted)
    },
    stop: async () => {
      isRunning = false
      await Promise.all(loops)
      return acknowledged
    },
    getLongestMs: () => longestMs,
  }
}

export type ReadFundings = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly { id: string; seq: string }[]>

/**
 * Compares the log with the acknowledged commands. `lost`: commands without their event. `doubled`:
 * commands with several events.
 */
export async function compareFundings(
  read: ReadFundings,
  { ledger, acknowledged }: { ledger: number; acknowledged: ReadonlyMap<string, bigint> },
): Promise<{ lost: number; doubled: number }> {
  const rows = await read(
    `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id, seq::text
     from ledger.event where ledger_id = $1 and type = 'ReserveFunded' order by seq`,
    [ledger],
  )
  const stored = new Map(rows.map(({ id, seq }) => [id, seq]))
  const lost = [...acknowledged].filter(([id, seq]) => stored.get(id) !== String(seq)).length
  return { lost, doubled: rows.length - stored.size }
}
