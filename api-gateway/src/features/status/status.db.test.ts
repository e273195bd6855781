import type { getStatus, ResponseOf } from '@cairn/gateway-contracts'
import type { WorkerReport } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGatewayOfTwoLedgers } from '../../../testing/further-ledger.ts'
import { expectOk, type Scene } from '../../../testing/scene.ts'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { readMailState, readWorkersState } from './status.ts'

const queue = {
  name: 'statements',
  waiting: 0,
  active: 0,
  failed: 0,
  dead: 0,
  oldestWaitingSeconds: null,
  lastSuccessAt: null,
  lastFailureAt: null,
}
const ledgerWorker: WorkerReport = {
  worker: 'ledger',
  queues: [queue],
  lags: [{ name: 'accrual', unit: 'seconds', value: 30 }],
}
const gatewayWorker: WorkerReport = {
  worker: 'gateway',
  queues: [queue],
  lags: [{ name: 'mail', unit: 'seconds', value: 5 }],
}

describe('the state of the background jobs', () => {
  test('is working only while every worker answers', () => {
    expect(readWorkersState([ledgerWorker, gatewayWorker])).toBe('working')
    expect(readWorkersState([ledgerWorker, null])).toBe('away')
    expect(readWorkersState([])).toBe('unknown')
  })

  test('is delayed if a job has waited for more than ten minutes', () => {
    const lags = [{ name: 'accrual', unit: 'seconds' as const, value: 601 }]
    expect(readWorkersState([{ ...ledgerWorker, lags }])).toBe('delayed')
    const queues = [{ ...queue, oldestWaitingSeconds: 700 }]
    expect(readWorkersState([{ ...gatewayWorker, queues }])).toBe('delayed')
    // This lag is a number of events and not a waiting time, so it does not change the state.
    const behind = [{ name: 'charts', unit: 'events' as const, value: 5_000 }]
    expect(readWorkersState([{ ...ledgerWorker, lags: behind }])).toBe('working')
  })

  test('is separate for mail, and unknown without a report', () => {
    expect(readMailState([ledgerWorker, gatewayWorker])).toBe('working')
    const lags = [{ name: 'mail', unit: 'seconds' as const, value: 900 }]
    expect(readMailState([{ ...gatewayWorker, lags }])).toBe('delayed')
    expect(readWorkersState([{ ...gatewayWorker, lags }])).toBe('working')
    expect(readMailState([ledgerWorker, null])).toBe('unknown')
  })
})

describe('the public status', () => {
  let gateway: TestGateway
  let reports: (WorkerReport | null)[] = [ledgerWorker, gatewayWorker]
  let asked = 0
  const createWorker = (place: number) => ({
    report: async () => {
      asked += 1
      return reports[place] ?? null
    },
    retry: async () => null,
  })
  beforeAll(async () => {
    gateway = await startTestGateway({ workers: [createWorker(0), createWorker(1)] })
  })
  afterAll(() => gateway.stop())

  const read: Scene['call'] = (visitor, method, path) => send(gateway, visitor, { method, path })
  async function readStatus(): Promise<ResponseOf<typeof getStatus>> {
    return await expectOk(read(null, 'GET', '/public/status'))
  }

  test('is computed once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, readStatus))
    expect(new Set(answers.map(({ checkedAt }) => checkedAt)).size).toBe(1)
    expect(asked).toBe(2)
    const states = answers[0]?.parts.map(({ part, state }) => `${part} ${state}`)
    expect(states).toEqual(['site working', 'ledger working', 'workers working', 'mail working'])
  })

  test('is available in maintenance mode and while the ledger is unavailable', async () => {
    const { settings } = gateway.deps
    const site = await settings.read()
    const general = { ...site.general, maintenanceMode: true }
    settings.read = async () => ({ ...site, general })
    expect((await readStatus()).isMaintenance).toBe(true)
    await gateway.stopLedger()
    reports = [null, gatewayWorker]
    const { now } = performance
    // Moves this clock by ten seconds, so that the cached state expires.
    performance.now = () => now.call(performance) + 10_000
    const { parts } = await readStatus()
    performance.now = now
    expect(Object.fromEntries(parts.map(({ part, state }) => [part, state]))).toEqual({
      site: 'working',
      ledger: 'away',
      workers: 'away',
      mail: 'working',
    })
  })
})

test('the public status is not working if a further ledger does not answer', async () => {
  const gateway = await startGatewayOfTwoLedgers()
  const readLedgerState = async () => {
    const { parts } = await expectOk<ResponseOf<typeof getStatus>>(
      send(gateway, null, { method: 'GET', path: '/public/status' }),
    )
    return parts.find(({ part }) => part === 'ledger')?.state
  }
  try {
    expect(await readLedgerState()).toBe('working')
    // The ledger service of this test has no ledger 3.
    const row = { ledger_id: 3, name: 'South', is_open: true, added_at: new Date() }
    await gateway.db.insertInto('platform.ledger').values(row).execute()
    gateway.moveClock(11_000)
    const { now } = performance
    performance.now = () => now.call(performance) + 11_000
    const state = await readLedgerState()
    performance.now = now
    expect(state).toBe('away')
  } finally {
    await gateway.stop()
  }
})
