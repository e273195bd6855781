import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeFetch } from '../../api-gateway/src/platform/ledger-client/node-fetch.ts'
import { startTestGateway } from '../../api-gateway/testing/test-gateway.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { addPeople, chooseFailedMax, chooseTwinMin, runUnderLoad } from './load.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'

const STEADY_MS = 500
const EXIT_MS_MAX = chooseTimeLimit(10_000)
const FAILED_MAX = chooseFailedMax(0.001)
const ABANDONED_MS_MAX = chooseTimeLimit(15_000)

let pair: PairedServices

beforeAll(async () => {
  pair = await startPairedServices()
})
afterAll(() => pair?.remove())

/**
 * Counts the jobs that have been active for more than five seconds. The process that ran such a job
 * has ended.
 */
async function countAbandonedJobs(): Promise<number> {
  const client = new pg.Client({ connectionString: pair.database.url })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select state::text, started_on from platform_jobs.job
       union all select state::text, started_on from ledger_jobs.job
     ) as job where state = 'active' and started_on < now() - interval '5 seconds'`,
  )
  await client.end()
  return rows[0]?.count ?? 0
}

describe('T58 two instances of each part', () => {
  test('are stopped and started in turn under load: nothing acknowledged is lost, and few calls fail', async ({
    task,
  }) => {
    const { services, people, ledger } = pair
    const before = await pair.readBalance()
    let slowest = { name: '', tookMs: 0 }
    const load = await runUnderLoad({ ...people, gateways: services.gateways }, async () => {
      for (const one of [...services.ledgers, ...services.gateways, ...services.workers]) {
        await delay(STEADY_MS)
        const { tookMs, exitCode } = await one.end('SIGTERM')
        expect([one.name, exitCode]).toEqual([one.name, 0])
        if (tookMs > slowest.tookMs) slowest = { name: one.name, tookMs }
        await one.start()
      }
      await delay(STEADY_MS)
    })
    expect(slowest.tookMs).toBeLessThan(EXIT_MS_MAX)
    expect(await pair.readBalance()).toBe(before + BigInt(load.paid) * 100n)
    expect(load.calls).toBeGreaterThan(1 / FAILED_MAX)
    expect(load.failed / load.calls).toBeLessThanOrEqual(FAILED_MAX)
    // This time limit is shorter than the time after which pg-boss gives the job of a killed
    // process to a running worker. A reassignment therefore cannot hide an abandoned job.
    await expect.poll(countAbandonedJobs, { timeout: ABANDONED_MS_MAX, interval: 500 }).toBe(0)
    expect((await ledger.ask('check', {})).problems).toEqual([])
    recordFigure(
      task,
      `${load.calls} calls, ${load.failed} failed, ${load.elsewhere} asked again at the other gateway, ${load.paid} payments acknowledged, 0 lost; slowest to end: ${slowest.name}, ${Math.round(slowest.tookMs)} ms`,
    )
  })
  test('sabotaged twin: with a gateway that knows one ledger and does not wait for it, calls fail often', async ({
    task,
  }) => {
    const { services, people, ledger } = pair
    const [only] = services.ledgers
    if (only === undefined) throw new Error('no ledger was started')
    const impatient = createLedgerClient({
      url: only.url,
      token: services.gatewayToken,
      fetch: createNodeFetch(),
    })
    const gateway = await startTestGateway({
      alterDeps: (deps) => ({ ...deps, ledger: impatient }),
    })
    // The test uses the first administrator, because only this administrator is an approver and can
    // move money.
    const store = { ...gateway, ledger: { unrecorded: ledger } }
    const theirs = await addPeople(store, people.adminId)
    const load = await runUnderLoad({ ...theirs, gateways: [gateway] }, async () => {
      await delay(STEADY_MS)
      await only.end('SIGTERM')
      await only.start()
    }).finally(() => gateway.stop())
    expect(load.failed / load.calls).toBeGreaterThan(chooseTwinMin(FAILED_MAX))
    recordFigure(task, `${load.failed} of ${load.calls} calls failed in one restart of the ledger`)
  })
})
