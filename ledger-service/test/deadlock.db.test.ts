import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, createId } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { expect, test } from 'vitest'
import { PENDING_MAX } from '../src/domain/transactions/request.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'

const MOVES = 1_000
const FUNDED = 1_000_000_000n

/**
 * Moves money from the operator to wallets on one instance and back on the other instance, in
 * parallel.
 */
async function moveBothWays(instances: readonly TestLedger[], people: readonly string[]) {
  const adjust = (index: number): Promise<Answer> => {
    const ledger = instances[index % instances.length]
    const investorId = people[Math.floor(index / 2) % people.length]
    if (ledger === undefined || investorId === undefined) throw new Error('nobody')
    const amount = { wallet: 'balance', amountMinor: 10_000n } as const
    const transactionId = createId(Date.now())
    if (index % 2 === 0) {
      const gift = { ...amount, category: null, reason: null }
      return ledger.submit('FundWallet', { ...gift, transactionId, investorId })
    }
    const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
    const { amountMinor } = amount
    const request = { transactionId, investorId, source: 'balance', amountMinor, ...bank } as const
    return ledger.submit('RequestWithdrawal', request)
  }
  return Promise.all(Array.from({ length: 2 * MOVES }, (_, index) => adjust(index)))
}

async function countDeadlocks(ledger: TestLedger): Promise<number> {
  await ledger.runSql('select pg_stat_force_next_flush()')
  const [row] = await ledger.runSql<{ deadlocks: number }>(
    `select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  return row?.deadlocks ?? -1
}

test(`${MOVES} movements each way on two instances: no deadlock, and no retry left to the caller before the deadline`, async () => {
  const database = await createTestDatabase()
  const instances = [await startTestLedger({ database }), await startTestLedger({ database })]
  const [first] = instances
  if (first === undefined) throw new Error('no instance')
  const people: string[] = []
  // The test uses as few investors as possible. With more investors, fewer commands would change
  // the same account.
  while (people.length * PENDING_MAX < MOVES) {
    people.push(await createFundedInvestor(first, { amountMinor: FUNDED }))
  }
  const answers = await moveBothWays(instances, people)
  // On a busy machine, the last commands can reach their deadline before they start.
  const others = answers.filter(
    (answer) =>
      answer.outcome !== 'recorded' &&
      !(
        answer.outcome === 'failed' && answer.message.includes('did not start this command in time')
      ),
  )
  expect(others).toEqual([])
  expect(answers.map(({ outcome }) => outcome)).toContain('recorded')
  expect(await countDeadlocks(first)).toBe(0)
  expect((await first.ask('check', {})).problems).toEqual([])
  await Promise.all(instances.map((instance) => instance.close()))
  await database.drop()
})

test('sabotaged twin: row locks taken in either order cause deadlocks', async () => {
  const ledger = await startTestLedger()
  const people = [
    await createFundedInvestor(ledger, { amountMinor: FUNDED }),
    await createFundedInvestor(ledger, { amountMinor: FUNDED }),
  ]
  let holders = 0
  const transferInOrder = async (order: readonly string[]) => {
    const client = new pg.Client({ connectionString: ledger.database.url })
    await client.connect()
    try {
      await client.query('begin')
      for (const investorId of order) {
        await client.query('update ledger.investor set profit_minor = 0 where investor_id = $1', [
          investorId,
        ])
        holders += 1
        // No transaction requests its second row until each transaction has locked its first row.
        while (holders < people.length) await delay(10)
      }
      await client.query('commit')
      return 'committed'
    } catch (error) {
      return (error as { code?: string }).code
    } finally {
      await client.end()
    }
  }
  const outcomes = await Promise.all([
    transferInOrder(people),
    transferInOrder(people.toReversed()),
  ])
  expect(outcomes).toContain('40P01')
  await ledger.close()
})
