import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { send, startTestGateway, type TestGateway, visitAs } from '../../../testing/test-gateway.ts'
import { drainServer, listen } from '../http/server.ts'
import { startMetrics } from '../metrics/metrics.ts'
import { runQueue, startBoss } from './job.ts'
import { createWorkerClient } from './worker-client.ts'
import { createWorkerServer } from './worker-server.ts'

const TOKEN = 'a service token for tests'
const METRICS_TOKEN = 'a metrics token for tests'
const log = pino({ level: 'silent' })

let database: TestDatabase
let boss: PgBoss
let server: Server
let url: string
let gateway: TestGateway
let isBroken = true
const done: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  boss = await startBoss({ url: database.urlFor('cairn_gateway_worker'), log })
  const handle = async ({ name }: { name: string }) => {
    if (isBroken) throw new Error('broken')
    done.push(name)
  }
  const payload = z.strictObject({ name: z.string() })
  const limits = { retryLimit: 0, retryDelaySeconds: 1, expireSeconds: 60 }
  await runQueue(boss, { queue: 'test.work', payload, ...limits, handle }, log)
  startMetrics()
  const readLags = async () => [{ name: 'mail', unit: 'seconds' as const, value: 3 }]
  const isHealthy = async () => true
  const options = {
    boss,
    callers: { metrics: [METRICS_TOKEN], jobs: [TOKEN] },
    isHealthy,
    readLags,
    log,
  }
  server = await listen(createWorkerServer(options), { host: '127.0.0.1', port: 0 })
  // The cast is safe because a server that listens on TCP has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const away = { url: 'http://127.0.0.1:9', token: TOKEN }
  const workers = [createWorkerClient({ url, token: TOKEN }), createWorkerClient(away)]
  gateway = await startTestGateway({ workers })
})
afterAll(async () => {
  await gateway?.stop()
  await drainServer(server)
  await boss.stop({ graceful: true, timeout: 2_000 })
  await database.drop()
})

describe('the jobs of the workers', () => {
  test('are listed for administrators, and failed jobs can be retried', async () => {
    const admin = await visitAs(gateway, 'admin')
    await boss.send('test.work', { name: 'one' })
    const listQueues = async () => {
      const reply = await send(gateway, admin, { method: 'GET', path: '/admin/jobs' })
      const data = JSON.stringify(reply.body.data?.workers)
      // The cast is safe because the contract of this endpoint has this type.
      const [first, second] = JSON.parse(data) as {
        queues: { name: string; dead: number; lastSuccessAt: string | null }[]
        isReachable: boolean
      }[]
      const queue = first?.queues.find(({ name }) => name === 'test.work')
      return { queue, isSecondReachable: second?.isReachable }
    }
    await vi.waitFor(async () => {
      expect(await listQueues()).toMatchObject({ queue: { dead: 1, lastSuccessAt: null } })
    }, PATIENCE_MS)
    expect((await listQueues()).isSecondReachable).toBe(false)

    isBroken = false
    const retry = { method: 'POST', path: '/admin/jobs/test.work/retry' }
    const retried = await send(gateway, admin, retry)
    expect(retried.body.data).toEqual({ retried: 1 })
    await vi.waitFor(async () => {
      expect(done).toEqual(['one'])
      expect((await listQueues()).queue).toMatchObject({
        dead: 0,
        lastSuccessAt: expect.any(String),
      })
    }, PATIENCE_MS)
    const unknown = { method: 'POST', path: '/admin/jobs/no.such/retry' }
    expect((await send(gateway, admin, unknown)).status).toBe(404)
  })

  test('require the service token', async () => {
    for (const path of ['/v1/jobs', '/v1/jobs/retry', '/no/such']) {
      expect((await fetch(`${url}${path}`)).status).toBe(401)
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('figures for Prometheus', () => {
  test('count requests by declared path and failed jobs by queue', async () => {
    await send(gateway, null, { method: 'GET', path: '/countries' })
    const text = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(text).toMatch(
      /cairn_http_request_seconds_count\{method="GET",route="\/countries",status="200"\} [1-9]/,
    )
    expect(text).toContain('cairn_job_failures_total{queue="test.work"} 1')
    expect(text).toContain('process_resident_memory_bytes')
  })

  test('are refused through a proxy on this machine', async () => {
    for (const base of [url, gateway.url]) {
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      const outside = await fetch(`${base}/metrics`, { headers })
      expect(outside.ok).toBe(false)
      const authorization = `Bearer ${METRICS_TOKEN}`
      const inside = await fetch(`${base}/metrics`, { headers: { ...headers, authorization } })
      expect(inside.status).toBe(200)
    }
  })
})
