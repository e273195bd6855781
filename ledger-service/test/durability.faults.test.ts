import { setTimeout as delay } from 'node:timers/promises'
import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { expect, test } from 'vitest'
import { recordFigure } from './support/figure.ts'
import { startServiceProcess } from './support/service-process.ts'

const ROUNDS = 5
const CLIENTS = 32
const LOST_EVERY = 100
const ACKNOWLEDGED_MIN = Number(process.env.TORTURE_ACKNOWLEDGED ?? 1_500)
const INVESTORS = 50
const envelope = { actor: 'system:torture', requestId: null, effectiveAt: null }

test('five kills under load lose nothing acknowledged and apply nothing twice', async ({
  task,
}) => {
  const run = await killUnderLoad({ isKeyKept: true })
  expect(run.problems).toEqual([])
  expect(run.stored).toEqual(run.acknowledged)
  expect(run.acknowledged.size).toBeGreaterThanOrEqual(ACKNOWLEDGED_MIN)
  recordFigure(task, `${run.acknowledged.size} acknowledged, ${run.unknown} lost answers`)
})

test('sabotaged twin: a client that forgets its key after a lost answer pays twice', async () => {
  const run = await killUnderLoad({ isKeyKept: false })
  expect(run.problems).toEqual([])
  expect(run.stored.size).toBeGreaterThan(run.acknowledged.size)
})

/**
 * Kills the service repeatedly under load. Returns the events in the log and the answers that
 * clients received.
 */
async function killUnderLoad({ isKeyKept }: { isKeyKept: boolean }) {
  const database = await createTestDatabase()
  const service = await startServiceProcess({ databaseUrl: database.urlFor('cairn_ledger') })
  const { client } = service
  const investors = await activate(client)
  const acknowledged = new Map<string, bigint>()
  const state = { isRunning: true, answeredInRound: 0, unknown: 0, calls: 0 }

  /**
   * Repeats a command with the same key until it is answered. One answer in a hundred is dropped,
   * in addition to the answers that are lost when the service is killed.
   */
  async function fund(investorId: string): Promise<void> {
    let transactionId = createId(Date.now())
    while (true) {
      const data = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
      const answer = await client
        .submit({
          type: 'FundWallet',
          data: { ...data, transactionId, investorId },
          key: transactionId,
          ...envelope,
        })
        .catch(() => null)
      state.calls += 1
      const isLost = state.calls % LOST_EVERY === 0
      if (answer?.outcome === 'recorded' && !isLost) {
        acknowledged.set(transactionId, answer.event.seq)
        return
      }
      if (answer?.outcome === 'refused') throw new Error(`refused ${JSON.stringify(answer)}`)
      state.unknown += 1
      if (!isKeyKept) transactionId = createId(Date.now())
      await delay(50)
    }
  }

  async function runClient(index: number): Promise<void> {
    const investorId = investors[index % INVESTORS] ?? ''
    while (state.isRunning) {
      await fund(investorId)
      state.answeredInRound += 1
    }
  }

  const failed = Promise.withResolvers<never>()
  const clients = Array.from({ length: CLIENTS }, (_, index) => runClient(index))
  for (const client of clients) client.catch(failed.reject)
  for (let round = 0; round < ROUNDS; round += 1) {
    state.answeredInRound = 0
    const wanted = ACKNOWLEDGED_MIN / ROUNDS + 100
    while (state.answeredInRound < wanted) await Promise.race([delay(5), failed.promise])
    await service.end('SIGKILL')
    await service.start()
  }
  state.isRunning = false
  await Promise.all(clients)

  const { problems } = await readUntilAnswered(() => client.ask('check', {}))
  const stored = await listStoredEvents(database)
  await service.end('SIGTERM')
  await database.drop()
  return { acknowledged, stored, problems, unknown: state.unknown }
}

async function activate(client: LedgerClient): Promise<readonly string[]> {
  const investors = Array.from({ length: INVESTORS }, () => createId(Date.now()))
  const answers = await client.submitMany(
    investors.map((investorId) => ({
      type: 'ActivateInvestor' as const,
      data: { investorId, referrerId: null },
      key: null,
      ...envelope,
    })),
  )
  expect(answers.every(({ outcome }) => outcome === 'recorded')).toBe(true)
  return investors
}

async function listStoredEvents(database: TestDatabase): Promise<ReadonlyMap<string, bigint>> {
  const superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
  const { rows } = await superuser.query<{ id: string; seq: string }>(
    `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id, seq
     from ledger.event where type = 'WalletFunded'`,
  )
  await superuser.end()
  return new Map(rows.map(({ id, seq }) => [id, BigInt(seq)]))
}
