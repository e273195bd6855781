import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectLedger } from '../../api-gateway/src/platform/ledger-client/connect.ts'
import {
  addUser,
  send,
  startTestGateway,
  type Visitor,
  visitAs,
} from '../../api-gateway/testing/test-gateway.ts'
import {
  type ChaosProxy,
  type NetworkFault,
  startChaosProxy,
} from '../../ledger-service/test/support/chaos-proxy.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import {
  type ServiceProcess,
  startServiceProcess,
  TEST_TOKEN,
} from '../../ledger-service/test/support/service-process.ts'

/** The number of times that each network fault is injected. The scorecard sets three. */
const ROUNDS = Number(process.env.TORTURE_NETWORK_ROUNDS ?? 1)
/**
 * The duration of the faults in which the ledger does not answer. It is longer than the gateway's
 * timeout for calls to the ledger.
 */
const SILENCE_MS = 5_500
const LASTS_MS: Readonly<Record<NetworkFault, number>> = {
  calm: 0,
  swallowing: SILENCE_MS,
  'half-open': 700,
  resetting: 700,
  late: 700,
  lossy: 2_000,
  corrupting: 2_000,
}
const CALM_MS = 500
const CLIENTS = 4
const AMOUNT_MINOR = 100n
const ANSWERED_WITHIN_MS = chooseTimeLimit(5_000)
const RECOVERED_WITHIN_MS = chooseTimeLimit(5_000)
const FAULTS: readonly NetworkFault[] = [
  'swallowing',
  'half-open',
  'resetting',
  'late',
  'lossy',
  'corrupting',
]

let database: TestDatabase
let service: ServiceProcess
let proxy: ChaosProxy
let gateway: Awaited<ReturnType<typeof startTestGateway>>
let admin: Visitor
let isDigested = true

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startServiceProcess({ databaseUrl: database.urlFor('cairn_ledger') })
  proxy = await startChaosProxy(service)
  // The gateway uses the same client as in production, but connects through the proxy.
  const url = `http://127.0.0.1:${proxy.port}`
  const connected = connectLedger({ urls: [url], ledger: 1, token: TEST_TOKEN })
  const naive = createLedgerClient({ url, token: TEST_TOKEN, timeoutMs: 4_500 })
  const ledger: LedgerClient = {
    ...connected,
    submit: (command) => (isDigested ? connected : naive).submit(command),
  }
  gateway = await startTestGateway({
    alterDeps: (deps) => ({ ...deps, ledger }),
    // Without digests, a damaged command can cause a failure that the documentation does not list.
    isDocumentedOnly: false,
  })
  const visitor = await visitAs(gateway, 'admin')
  if (visitor === null) throw new Error('the administrator has no session')
  admin = visitor
})
afterAll(async () => {
  try {
    await gateway?.stop()
  } finally {
    proxy?.close()
    await service?.end('SIGTERM')
    await database?.drop()
  }
})

async function createInvestor(): Promise<string> {
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  await service.client.submit({
    type: 'ActivateInvestor',
    data: { investorId, referrerId: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  return investorId
}

interface Seen {
  paid: number
  unanswered: number
  slowestMs: number
  statuses: Map<number, number>
}

/**
 * Runs clients that fund a wallet while `disturb` runs. Each client repeats a payment until the
 * payment is answered.
 */
async function payDuringDisturbance(
  disturb: () => Promise<void>,
  options: { investorId: string; isKeyKept: boolean; isUnansweredLeft?: boolean },
): Promise<Seen> {
  const seen: Seen = { paid: 0, unanswered: 0, slowestMs: 0, statuses: new Map() }
  const state = { isRunning: true }

  async function sendPayment(key: string): Promise<number> {
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
    for (;;) {
      const status = await sendPayment(key)
      if (status === 200) seen.paid += 1
      // The payment is repeated after 409, 429 and any status from 500 on. Any other failure shows
      // that the command was damaged in transit, so a repetition would fail again.
      if (![409, 429, 503].includes(status) && status < 500) return
      seen.unanswered += 1
      if (options.isUnansweredLeft === true && !state.isRunning) return
      if (!options.isKeyKept) key = randomUUID()
      await delay(50)
    }
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

async function readBalance(investorId: string): Promise<bigint> {
  const { investors } = await service.client.ask('investors', { investorIds: [investorId] })
  return investors[0]?.available.balance ?? 0n
}

async function injectFault(fault: NetworkFault, lastsMs = LASTS_MS[fault]): Promise<number> {
  proxy.set(fault)
  await delay(lastsMs)
  proxy.set('calm')
  return waitUntilAnswered()
}

async function waitUntilAnswered(): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status } = await send(gateway, null, { method: 'GET', path: '/plans' })
    if (status === 200) return performance.now() - began
    await delay(20)
  }
}

describe('T25 the network between gateway and ledger', () => {
  test('fails in every way: each call is answered in five seconds and no cent is lost or doubled', async ({
    task,
  }) => {
    const investorId = await createInvestor()
    let recoveredMs = 0
    const seen = await payDuringDisturbance(
      async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const fault of FAULTS) {
            await delay(CALM_MS)
            recoveredMs = Math.max(recoveredMs, await injectFault(fault))
          }
          await delay(CALM_MS)
          service.signal('SIGSTOP')
          await delay(SILENCE_MS)
          service.signal('SIGCONT')
          recoveredMs = Math.max(recoveredMs, await waitUntilAnswered())
        }
      },
      { investorId, isKeyKept: true },
    )
    expect(seen.slowestMs).toBeLessThan(ANSWERED_WITHIN_MS)
    expect(recoveredMs).toBeLessThan(RECOVERED_WITHIN_MS)
    expect(seen.unanswered).toBeGreaterThan(0)
    // A call that the ledger does not answer must be answered with 409 or 503.
    expect([...seen.statuses.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual(
      [],
    )
    expect(await readBalance(investorId)).toBe(BigInt(seen.paid) * AMOUNT_MINOR)
    expect((await service.client.ask('check', {})).problems).toEqual([])
    recordFigure(
      task,
      `${seen.paid} paid, ${proxy.countFaults()} losses and changed bytes, ${seen.unanswered} without an answer, slowest ${Math.round(seen.slowestMs)} ms, well again after ${Math.round(recoveredMs)} ms, 0 wrong`,
    )
  })

  test('sabotaged twin: a client that forgets its key pays twice', async () => {
    const investorId = await createInvestor()
    const seen = await payDuringDisturbance(
      async () => {
        await delay(200)
        // The fault lasts longer than the time in which the gateway repeats the command. All
        // repetitions have the same key, so that no second payment is made.
        await injectFault('half-open', SILENCE_MS)
      },
      { investorId, isKeyKept: false },
    )
    expect(await readBalance(investorId)).toBeGreaterThan(BigInt(seen.paid) * AMOUNT_MINOR)
  })

  test('sabotaged twin: a gateway that sends no digest records wrong amounts', async () => {
    const investorId = await createInvestor()
    isDigested = false
    const seen = await payDuringDisturbance(
      async () => {
        await injectFault('corrupting')
      },
      // The ledger stores a damaged command under the idempotency key of the original command. The
      // repetition has this key but the original content, so the ledger refuses the repetition.
      { investorId, isKeyKept: true, isUnansweredLeft: true },
    ).finally(() => {
      isDigested = true
    })
    expect(await readBalance(investorId)).not.toBe(BigInt(seen.paid) * AMOUNT_MINOR)
  })
})
