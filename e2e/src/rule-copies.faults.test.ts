import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRuleCopying } from '../../api-gateway/src/features/ledgers/copy-rules.ts'
import { type Database, openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { createLedgerHomes } from '../../api-gateway/src/platform/ledger-client/ledger-homes.ts'
import { isOnlyFurtherLedgers } from '../../api-gateway/src/platform/ledger-client/run-for-each-ledger.ts'
import { claimLedger } from '../../api-gateway/src/platform/ledger-client/site-ledger.ts'
import { createSiteLedgers } from '../../api-gateway/src/platform/ledger-client/site-ledgers.ts'
import { createRemoteLedger } from '../../ledger-service/test/support/remote-ledger.ts'
import { plan30Days, requireRecorded } from '../../ledger-service/test/support/test-ledger.ts'
import { startTwoPlaces, type TwoPlaces } from '../../ledger-service/test/support/two-places.ts'

/** More plans than one call copies, so that the server stops between two calls. */
const PLANS = 80

let places: TwoPlaces
let database: TestDatabase
let gateway: Database
let worker: Database
let runCopies: () => Promise<void>

beforeAll(async () => {
  ;[places, database] = await Promise.all([
    startTwoPlaces({ east: [1, 3], west: [2] }),
    createTestDatabase(),
  ])
  const open = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = open('cairn_gateway')
  worker = open('cairn_gateway_worker')
  await claimLedger(gateway, 1)
  for (const ledger_id of [2, 3]) {
    const row = { ledger_id, name: `Ledger ${ledger_id}`, is_open: false, added_at: new Date() }
    await gateway.insertInto('platform.ledger').values(row).execute()
  }
  runCopies = createRuleCopying({
    db: worker,
    clock: Date,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    ledgers: createSiteLedgers({
      first: 1,
      homes: createLedgerHomes(worker, Date),
      connect: places.client,
    }),
  })
  const first = createRemoteLedger(places.client(1))
  for (let count = 0; count < PLANS; count += 1) {
    const terms = { ...plan30Days, name: `Plan ${count}` }
    await requireRecorded(first.submit('DefinePlan', { planId: createId(Date.now()), terms }))
  }
})
afterAll(async () => {
  await Promise.all([gateway?.destroy(), worker?.destroy()])
  await Promise.all([database?.drop(), places?.drop()])
})

async function listPlans(ledger: LedgerClient) {
  const { plans } = await ledger.ask('plans', { includeArchived: true })
  return plans.map(({ definedAt: _, ...plan }) => plan)
}

const readRow = (ledger: number) =>
  worker
    .selectFrom('platform.ledger')
    .select(['rules_through', 'rules_copied_at'])
    .where('ledger_id', '=', ledger)
    .executeTakeFirstOrThrow()

test('a copy goes on after its database has stopped, and delays no other ledger', async () => {
  await places.client(2).copyRules({ from: 1 })
  await places.west.crash()
  await expect(runCopies()).rejects.toSatisfy(isOnlyFurtherLedgers)
  expect(await readRow(2)).toEqual({ rules_through: '0', rules_copied_at: null })
  expect((await readRow(3)).rules_copied_at).not.toBeNull()
  expect(await listPlans(places.client(3))).toEqual(await listPlans(places.client(1)))

  await places.west.start()
  await expect
    .poll(async () => {
      await runCopies()
      return (await readRow(2)).rules_copied_at
    })
    .not.toBeNull()
  expect(await listPlans(places.client(2))).toEqual(await listPlans(places.client(1)))
  // Each event is copied once.
  const sizes = [1, 2, 3].map((ledger) => places.client(ledger).ask('head', { size: null }))
  const all = await Promise.all(sizes)
  expect(all.map(({ size }) => size)).toEqual([BigInt(PLANS), BigInt(PLANS), BigInt(PLANS)])
})
