import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { createFundedInvestor, type TestLedger } from './test-ledger.ts'

const CLIENTS = 32

interface Disturbances {
  rounds: number
  /** The number of answered commands before each disturbance. */
  answeredPerRound: number
  disturb(): Promise<void>
  /** Called after the clients have ended and before the events are read. */
  settle?(): Promise<void>
}

/**
 * Runs clients during several disturbances. Each client repeats a command with the same key until it
 * is answered. Then compares the answers with the stored events.
 */
export async function fundUnderLoad(
  ledger: TestLedger,
  { rounds, answeredPerRound, disturb, settle }: Disturbances,
) {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const acknowledged = new Map<string, bigint>()
  const state = { isRunning: true, answered: 0, repeated: 0 }

  async function fundInLoop(): Promise<void> {
    while (state.isRunning) {
      const transactionId = createId(Date.now())
      for (;;) {
        const data = { ...gift, transactionId, investorId }
        const answer = await ledger.submit('FundWallet', data, { key: transactionId })
        if (answer.outcome === 'recorded') {
          acknowledged.set(transactionId, answer.event.seq)
          break
        }
        if (answer.outcome === 'refused') throw new Error(JSON.stringify(answer))
        state.repeated += 1
        await delay(20)
      }
      state.answered += 1
    }
  }

  const clients = Array.from({ length: CLIENTS }, fundInLoop)
  for (let round = 0; round < rounds; round += 1) {
    state.answered = 0
    while (state.answered < answeredPerRound) await delay(2)
    await disturb()
  }
  state.isRunning = false
  await Promise.all(clients)
  await settle?.()
  const stored = await readStoredEvents(ledger)
  const lost = [...acknowledged].filter(([id, seq]) => stored.get(id) !== seq).length
  const { problems } = await ledger.ask('check', {})
  return { acknowledged: acknowledged.size, stored: stored.size, lost, problems }
}

async function readStoredEvents(from: TestLedger): Promise<ReadonlyMap<string, bigint>> {
  const text = `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id, seq
     from ledger.event where type = 'WalletFunded'`
  const read = () => from.runSql<{ id: string; seq: string }>(text)
  // After the last disturbance, the server may still recover.
  let rows = await read().catch(() => null)
  for (let tries = 0; rows === null && tries < 100; tries += 1) {
    await delay(200)
    rows = await read().catch(() => null)
  }
  if (rows === null) throw new Error('the database cannot be reached')
  return new Map(rows.map(({ id, seq }) => [id, BigInt(seq)]))
}
