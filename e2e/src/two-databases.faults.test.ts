import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { createKeyRing } from '../../api-gateway/src/platform/keys/key-ring.ts'
import {
  type CrashablePostgres,
  startCrashablePostgres,
} from '../../ledger-service/test/support/crashable-postgres.ts'
import { addPeople, runUnderLoad } from './load.ts'
import { createServices, SESSION_SECRET, type Services } from './service-processes.ts'

const STEADY_MS = 1_000

let ledgerServer: CrashablePostgres
let siteServer: CrashablePostgres
let services: Services
beforeAll(async () => {
  ;[ledgerServer, siteServer] = await Promise.all([
    startCrashablePostgres({ only: 'ledger' }),
    startCrashablePostgres({ only: 'site' }),
  ])
  const urlFor = (role: string) =>
    (role.startsWith('cairn_ledger') ? ledgerServer : siteServer).database.urlFor(role)
  services = await createServices({ urlFor }, { instances: 1 })
  const processes = [...services.ledgers, ...services.gateways, ...services.workers]
  await Promise.all(processes.map((one) => one.start()))
})
afterAll(async () => {
  await services?.remove()
  await Promise.all([ledgerServer?.drop(), siteServer?.drop()])
})

async function countRows(server: CrashablePostgres, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: server.database.url })
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as count from ${table}`)
  await client.end()
  return rows[0].count
}

test('a platform works whose ledger and whose site are on two servers', async () => {
  const ledger = createLedgerClient({
    url: services.ledgers[0]?.url ?? '',
    token: services.token,
    timeoutMs: PATIENCE_MS,
  })
  const db = openDatabase({
    url: siteServer.database.urlFor('cairn_gateway'),
    applicationName: 'test',
    onError: () => {},
  })
  const deps = { clock: Date, sessionKeys: createKeyRing({ value: SESSION_SECRET }) }
  const people = await addPeople({ db, deps, ledger: { unrecorded: ledger } })
  const gateways = services.gateways
  const load = await runUnderLoad({ ...people, gateways, clients: 2 }, () => delay(STEADY_MS))
  expect(load.paid).toBeGreaterThan(0)
  expect(load.failed).toBe(0)
  const { investors } = await ledger.ask('investors', { investorIds: [people.investorId] })
  expect(investors[0]?.available.balance).toBe(BigInt(load.paid) * 100n)
  expect(await countRows(ledgerServer, 'ledger.event')).toBeGreaterThan(load.paid)
  // The worker of the site follows the log on the other server.
  await expect.poll(() => countRows(siteServer, 'platform.investor_available')).toBeGreaterThan(0)
  await db.destroy()
})
