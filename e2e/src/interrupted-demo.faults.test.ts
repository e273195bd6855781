import { createLedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DemoLoad, loadDemo } from '../../local/src/demo/load.ts'
import { createAdmin } from '../../local/src/demo/users.ts'
import { createServices, type Services } from './service-processes.ts'

// After 12 steps, all investors are prepared and the history has not begun. After 13 steps, the
// ledger has the plans and the reserve.
const STEPS = [0, 12, 13]

let database: TestDatabase
let services: Services
beforeEach(async () => {
  database = await createTestDatabase()
  services = await createServices(database, { instances: 1 })
  for (const one of [...services.ledgers, ...services.gateways]) await one.start()
})
afterEach(async () => {
  await services?.remove()
  await database?.drop()
})

/** Returns a signal that is aborted after `steps` steps of the load. */
function abortAfter(steps: number): AbortSignal {
  const controller = new AbortController()
  let done = 0
  controller.signal.throwIfAborted = () => {
    if (done === steps) throw new Error(`interrupted after ${steps} steps`)
    done += 1
  }
  return controller.signal
}

async function load(signal: AbortSignal): Promise<readonly string[]> {
  const lines: string[] = []
  const options: DemoLoad = {
    gatewayUrl: services.gateways[0]?.url ?? '',
    ledgerUrl: services.ledgers[0]?.url ?? '',
    ledger: 1,
    ledgerToken: services.token,
    gatewayDatabaseUrl: database.urlFor('cairn_gateway'),
    markerFile: null,
    log: (line) => lines.push(line),
    signal,
  }
  await loadDemo(options)
  return lines
}

async function listTypes(): Promise<readonly string[]> {
  const ledger = createLedgerClient({
    url: services.ledgers[0]?.url ?? '',
    ledger: 1,
    token: services.token,
  })
  const { events } = await ledger.events({ after: -1n, waitSeconds: 0, limit: 1_000 })
  return events.map(({ type }) => type)
}

test('a load of the demo data that was interrupted is continued, and loads each event once', async () => {
  for (const steps of STEPS) {
    await expect(load(abortAfter(steps))).rejects.toThrow(`interrupted after ${steps} steps`)
  }
  expect(await listTypes()).toContain('ReserveFunded')
  const lines = await load(new AbortController().signal)
  expect(lines.at(-1)).toMatch(/^created the demo data: \d+ commands/)
  const types = await listTypes()
  expect(types.filter((type) => type === 'ReserveFunded')).toHaveLength(1)
  expect(types.filter((type) => type === 'InvestorActivated')).toHaveLength(12)
})

test('a site whose administrator is not that of the demo gets no demo data', async () => {
  const person = { email: 'owner@site.example', password: 'a long password', name: 'Olga Owner' }
  await createAdmin(database.urlFor('cairn_gateway'), person)
  await expect.poll(listTypes).toEqual(['ApproverAdded'])
  const lines = await load(new AbortController().signal)
  expect(lines.at(-1)).toBe('the ledger already has other events: no demo data is added')
  expect(await listTypes()).toEqual(['ApproverAdded'])
})
