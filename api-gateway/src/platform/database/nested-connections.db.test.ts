import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { createLedgerHomes } from '../ledger-client/ledger-homes.ts'
import type { Database } from './database.ts'

/** The connections of the pool in which the gateway runs its transactions. */
const CONNECTIONS = 12

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ hasSeveralLedgers: true })
})
afterAll(() => gateway?.stop())

/** Opens a transaction in every connection of the pool, then runs `act` in each of them. */
async function runInAllTransactions(db: Database, act: () => Promise<unknown>): Promise<void> {
  let open = 0
  const areAllOpen = Promise.withResolvers<void>()
  const runTransaction = () =>
    db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      open += 1
      if (open === CONNECTIONS) areAllOpen.resolve()
      await areAllOpen.promise
      await act()
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, runTransaction))
}

test('transactions in all connections can still ask the ledger and read the settings', async () => {
  const { deps } = gateway
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  await runInAllTransactions(deps.db, async () => {
    deps.settings.forget()
    await deps.settings.read()
    await deps.ledger.ask('investors', { investorIds: [investorId] })
  })
})

test('sabotaged twin: with the connections of the transactions, none of them can go on', async () => {
  const { deps } = gateway
  const homes = createLedgerHomes(deps.db, deps.clock)
  const asking = runInAllTransactions(deps.db, () => homes.listFurther())
  await expect(asking).rejects.toThrow('timeout exceeded when trying to connect')
})
