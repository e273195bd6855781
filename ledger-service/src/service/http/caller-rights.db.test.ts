import type { AddressInfo } from 'node:net'
import { createId, toJson } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestLedger, type TestLedger } from '../../../test/support/test-ledger.ts'
import { createCallerLookup } from '../callers.ts'
import { renderMetrics } from '../metrics/metrics.ts'
import { createLedgerRoutes } from './routes.ts'
import { createHttpServer, type Route } from './server.ts'

const getTokenOf = (name: string) => `${name}-token-`.padEnd(40, '0')
const log = pino({ level: 'silent' })

let ledger: TestLedger
let routes: Readonly<Record<string, Route>>
beforeAll(async () => {
  ledger = await startTestLedger()
  const ledgers = new Map([[1, ledger.parts]])
  routes = createLedgerRoutes({ ledgers, checkHealth: async () => ({ isOk: true }) })
})
afterAll(() => ledger.close())

/** Serves the routes and calls `act` with the URL of the server. */
async function runWithServer<T>(
  served: typeof routes,
  act: (url: string) => Promise<T>,
): Promise<T> {
  const names = ['gateway', 'gateway-worker', 'ledger-worker', 'server', 'auditor', 'metrics']
  const tokens = Object.fromEntries(names.map((name) => [name, [getTokenOf(name)]]))
  const server = createHttpServer({ routes: served, tokens, tls: null, log })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    // The cast is safe, because a server that listens on TCP has an address with a port.
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

function post(url: string, caller: string, body: unknown): Promise<number> {
  const headers = {
    authorization: `Bearer ${getTokenOf(caller)}`,
    'content-type': 'application/json',
  }
  return fetch(url, { method: 'POST', headers, body: toJson(body) }).then(({ status }) => status)
}

function fund(actor: string) {
  const data = { transactionId: createId(Date.now()), amountMinor: 100n }
  const rest = { actor, key: null, requestId: null, effectiveAt: null }
  const command = { type: 'FundReserve', data: { ...data, note: null }, ...rest }
  return { ledger: 1, lane: 'interactive', commands: [command] }
}

async function countEvents(): Promise<number> {
  const [row] = await ledger.runSql<{ count: string }>('select count(*) from ledger.event')
  return Number(row?.count)
}

test('each caller reaches its own routes and commands only', async () => {
  const before = await countEvents()
  await runWithServer(routes, async (url) => {
    const commands = `${url}/v1/commands`
    for (const caller of [
      'gateway-worker',
      'ledger-worker',
      'server',
      'auditor',
      'metrics',
      'eve',
    ]) {
      const status = await post(commands, caller, fund('admin:ada'))
      expect([caller, status]).toEqual([caller, caller === 'eve' ? 401 : 403])
    }
    expect(await post(commands, 'gateway', fund('system:server'))).toBe(403)
    expect(await countEvents()).toBe(before)
    expect(await post(commands, 'gateway', fund('admin:ada'))).toBe(200)
    expect(await post(`${url}/v1/queries/rules`, 'auditor', { ledger: 1 })).toBe(200)
    expect(await post(`${url}/v1/queries/rules`, 'metrics', { ledger: 1 })).toBe(403)
    expect(await post(`${url}/v1/trial-balances`, 'gateway', { ledger: 1 })).toBe(403)
    expect(await post(`${url}/v1/trial-balances`, 'ledger-worker', { ledger: 1 })).toBe(200)
    const copies = `${url}/v1/rule-copies`
    for (const caller of ['gateway', 'ledger-worker', 'server', 'auditor', 'metrics']) {
      expect([caller, await post(copies, caller, { ledger: 1, from: 1 })]).toEqual([caller, 403])
    }
    // The caller names ledgers only. What is copied comes from their logs.
    const chosen = { ledger: 1, from: 1, commands: fund('system:server').commands }
    expect(await post(copies, 'gateway-worker', chosen)).toBe(400)
    expect(await post(copies, 'gateway-worker', { ledger: 1, from: 2 })).toBe(404)
    expect(await post(copies, 'gateway-worker', { ledger: 1, from: 1 })).toBe(200)
  })
  expect(await countEvents()).toBe(before + 1)
})

test('a call to an unknown query adds no label to the metric', async () => {
  await runWithServer(routes, async (url) => {
    for (const caller of ['eve', 'metrics', 'auditor']) {
      await post(`${url}/v1/queries/invented-by-${caller}`, caller, { ledger: 1 })
    }
    expect(await post(`${url}/v1/queries/rules`, 'eve', { ledger: 1 })).toBe(401)
  })
  const text = await renderMetrics()
  expect(text).not.toContain('invented-by')
  for (const path of ['/v1/queries/', '/v1/queries/rules']) {
    expect(text).toContain(`cairn_ledger_http_request_seconds_count{path="${path}",status="401"}`)
  }
})

test('linked commands are all rejected if one exceeds the rights of the caller', async () => {
  const before = await countEvents()
  const commands = [...fund('admin:ada').commands, ...fund('system:server').commands]
  const request = { ledger: 1, lane: 'interactive', atomic: true, commands }
  await runWithServer(routes, async (url) => {
    expect(await post(`${url}/v1/commands`, 'gateway', request)).toBe(403)
    const tooMany = Array.from({ length: 101 }, () => fund('admin:ada').commands).flat()
    expect(await post(`${url}/v1/commands`, 'gateway', { ...request, commands: tooMany })).toBe(400)
    expect(await countEvents()).toBe(before)
    const allowed = [...fund('admin:ada').commands, ...fund('admin:ada').commands]
    expect(await post(`${url}/v1/commands`, 'gateway', { ...request, commands: allowed })).toBe(200)
  })
  expect(await countEvents()).toBe(before + 2)
})

test('sabotaged twin: where any credential may submit, a stolen one of the metrics moves money', async () => {
  const before = await countEvents()
  const route = routes['POST /v1/commands']
  if (route === undefined) throw new Error('there is no such route')
  const everyone = createCallerLookup({ gateway: [getTokenOf('gateway')] })(getTokenOf('gateway'))
  const open: Route = {
    needs: 'canReadMetrics',
    handle: (request) => route.handle({ ...request, caller: everyone }),
  }
  await runWithServer({ ...routes, 'POST /v1/commands': open }, async (url) => {
    expect(await post(`${url}/v1/commands`, 'metrics', fund('admin:ada'))).toBe(200)
  })
  expect(await countEvents()).toBe(before + 1)
})
