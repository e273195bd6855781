import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlainFetch } from '../../api-gateway/src/ledger/plain-fetch.ts'
import {
  addUser,
  send,
  startTestGateway,
  type Visitor,
  visitAs,
} from '../../api-gateway/src/testing/test-gateway.ts'
import {
  type ChaosProxy,
  startChaosProxy,
  type Weather,
} from '../../ledger-service/src/testing/chaos-proxy.ts'
import { noteFigure } from '../../ledger-service/src/testing/figure.ts'
import {
  type ServiceProcess,
  startServiceProcess,
  TEST_TOKEN,
} from '../../ledger-service/src/testing/service-process.ts'

/** Rounds through all weathers; three in the scorecard. */
const ROUNDS = Number(process.env.TORTURE_NETWORK_ROUNDS ?? 1)
const STORM_MS = 700
/** Longer than the gateway waits for the ledger. */
const SILENCE_MS = 5_500
const CALM_MS = 500
const CLIENTS = 4
const AMOUNT_MINOR = 100n
const ANSWERED_WITHIN_MS = 5_000
const RECOVERED_WITHIN_MS = 5_000
const TIMEOUT_MS = 4_500
const WEATHERS: readonly Weather[] = ['swallowing', 'half-open', 'resetting', 'late']

let database: TestDatabase
let service: ServiceProcess
let proxy: ChaosProxy
let gateway: Awaited<ReturnType<typeof startTestGateway>>
let admin: Visitor

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startServiceProcess({ databaseUrl: database.urlFor('cairn_ledger') })
  proxy = await startChaosProxy(service)
  // As the gateway opens it in production, through the proxy.
  const ledger = createLedgerClient({
    url: `http://127.0.0.1:${proxy.port}`,
    token: TEST_TOKEN,
    timeoutMs: TIMEOUT_MS,
    fetch: createPlainFetch(),
  })
  gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, ledger }) })
  const visitor = await visitAs(gateway, 'admin')
  if (visitor === null) throw new Error('an administrator has a session')
  admin = visitor
}, 60_000)
afterAll(async () => {
  await gateway?.stop()
  proxy?.close()
  await service?.end('SIGTERM')
  await database?.drop()
})

async function newInvestor(): Promise<string> {
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  await service.client.submit({
    type: 'ActivateInvestor',
    data: { investorId, referrerId: null },
    ...{ actor: 'system:test', key: null, requestId: null, effectiveAt: null },
  })
  return investorId
}

interface Seen {
  paid: number
  unanswered: number
  slowestMs: number
  statuses: Map<number, number>
}

/** Clients that fund a wallet while `disturb` lasts, each payment tried until it is answered. */
async function payThrough(
  disturb: () => Promise<void>,
  options: { investorId: string; isKeyKept: boolean },
): Promise<Seen> {
  const seen: Seen = { paid: 0, unanswered: 0, slowestMs: 0, statuses: new Map() }
  const state = { isRunning: true }

  async function ask(key: string): Promise<number> {
    const began = performance.now()
    const { status } = await send(gateway, admin, {
      method: 'PATCH',
      path: `/users/${options.investorId}/wallets`,
      body: { wallet_type: 'balance', amount: '1.00', reason: 'test' },
      headers: { 'idempotency-key': key },
    })
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - began)
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
    return status
  }

  async function pay(): Promise<void> {
    let key = randomUUID()
    while ((await ask(key)) !== 200) {
      seen.unanswered += 1
      if (!options.isKeyKept) key = randomUUID()
      await delay(50)
    }
    seen.paid += 1
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (state.isRunning) await pay()
  })
  await disturb().finally(() => {
    state.isRunning = false
    proxy.set('calm')
  })
  await Promise.all(clients)
  return seen
}

async function balanceOf(investorId: string): Promise<bigint> {
  const { investors } = await service.client.ask('investors', { investorIds: [investorId] })
  return investors[0]?.available.balance ?? 0n
}

async function storm(weather: Weather, lastsMs = STORM_MS): Promise<number> {
  proxy.set(weather)
  await delay(lastsMs)
  proxy.set('calm')
  const began = performance.now()
  for (;;) {
    const { status } = await send(gateway, null, { method: 'GET', path: '/plans' })
    if (status === 200) return performance.now() - began
    await delay(20)
  }
}

describe('T25 the network between gateway and ledger', () => {
  test('fails in every way: each call is answered in five seconds and no cent is lost or doubled', {
    timeout: 240_000,
  }, async ({ task }) => {
    const investorId = await newInvestor()
    let recoveredMs = 0
    const seen = await payThrough(
      async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const weather of WEATHERS) {
            await delay(CALM_MS)
            const lastsMs = weather === 'swallowing' ? SILENCE_MS : STORM_MS
            recoveredMs = Math.max(recoveredMs, await storm(weather, lastsMs))
          }
          await delay(CALM_MS)
        }
      },
      { investorId, isKeyKept: true },
    )
    expect(seen.slowestMs).toBeLessThan(ANSWERED_WITHIN_MS)
    expect(recoveredMs).toBeLessThan(RECOVERED_WITHIN_MS)
    expect(seen.unanswered).toBeGreaterThan(0)
    // What is not answered is said to be the ledger's absence, and nothing else.
    expect([...seen.statuses.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual(
      [],
    )
    expect(await balanceOf(investorId)).toBe(BigInt(seen.paid) * AMOUNT_MINOR)
    expect((await service.client.ask('check', {})).problems).toEqual([])
    noteFigure(
      task,
      `${seen.paid} paid, ${seen.unanswered} without an answer, slowest ${Math.round(seen.slowestMs)} ms, well again after ${Math.round(recoveredMs)} ms, 0 wrong`,
    )
  })

  test('with a client that forgets its key pays twice, so the test can see it', {
    timeout: 60_000,
  }, async () => {
    const investorId = await newInvestor()
    const seen = await payThrough(
      async () => {
        for (let round = 0; round < 3; round += 1) {
          await delay(200)
          await storm('half-open')
        }
      },
      { investorId, isKeyKept: false },
    )
    expect(await balanceOf(investorId)).toBeGreaterThan(BigInt(seen.paid) * AMOUNT_MINOR)
  })
})
