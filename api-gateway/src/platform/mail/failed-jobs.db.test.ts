import { type QueueReport, reportQueues } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { runQueue, startBoss } from '../jobs/job.ts'
import { retryFailedJobs } from '../jobs/worker-server.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createOutboxSeal } from '../keys/seal.ts'
import { createDefaultSettings, createSettings } from '../settings-store/site-settings.ts'
import { composeMail } from './compose.ts'
import { feedFailedJobs } from './failed-jobs-feeder.ts'
import { MAIL_QUEUE, MailPayload } from './mail-job.ts'

const DAY_MS = 86_400_000
const QUEUE = 'test.fragile'
const log = pino({ level: 'silent' })
const origin = { isDemo: false, publicUrl: 'https://cairn.test' }

let database: TestDatabase
let gateway: Database
let worker: Database
let boss: PgBoss
let isBroken = true

beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
  boss = await startBoss({ url: database.urlFor('cairn_gateway_worker'), log })
  await boss.createQueue(MAIL_QUEUE)
  const handle = async () => {
    if (isBroken) throw new Error('broken')
  }
  const limits = { retryLimit: 0, retryDelaySeconds: 1, expireSeconds: 30 }
  await runQueue(boss, { queue: QUEUE, payload: z.object({}), ...limits, handle }, log)
})
afterAll(async () => {
  await boss?.stop({ graceful: false })
  await Promise.all([gateway?.destroy(), worker?.destroy()])
  await database?.drop()
})

async function readQueues(): Promise<QueueReport[]> {
  const db = boss.getDb()
  return reportQueues((text, values) => db.executeSql(text, values), 'platform_jobs')
}

async function runFeeder(nowMs: number): Promise<void> {
  const report = async () => ({ worker: 'gateway', queues: await readQueues(), lags: [] })
  const settings = createSettings(worker, origin)
  await feedFailedJobs({
    boss,
    workers: [{ report }, { report: async () => null }],
    settings,
    nowMs,
  })
}

async function listNotices(): Promise<readonly MailPayload[]> {
  const jobs = await boss.findJobs(MAIL_QUEUE)
  return jobs.map(({ data }) => MailPayload.parse(data))
}

async function saveOfficeSettings(adminEmail: string, emailNotifications: boolean): Promise<void> {
  const defaults = createDefaultSettings(origin)
  const notifications = { ...defaults.notifications, adminEmail, emailNotifications }
  const content = JSON.stringify({ ...defaults, notifications })
  const row = { id: 'site' as const, version: 1, content, updated_at: new Date(), updated_by: null }
  await gateway
    .insertInto('platform.setting')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

test('administrators are mailed about failed jobs once a day for each queue, until the jobs are retried', async () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z')
  await boss.send(QUEUE, {})
  const readQueue = async () => (await readQueues()).find(({ name }) => name === QUEUE)
  await vi.waitFor(async () => expect(await readQueue()).toMatchObject({ dead: 1 }), PATIENCE_MS)

  await saveOfficeSettings('office@rock.test', false)
  await runFeeder(nowMs)
  expect(await listNotices()).toEqual([])

  await saveOfficeSettings('office@rock.test', true)
  await runFeeder(nowMs)
  await runFeeder(nowMs + 60_000)
  const payload = { source: 'given-up', queue: QUEUE, count: 1 }
  expect(await listNotices()).toEqual([{ ...payload, day: '2026-11-21' }])
  await runFeeder(nowMs + DAY_MS)
  expect(await listNotices()).toHaveLength(2)

  isBroken = false
  expect(await retryFailedJobs(boss, QUEUE)).toBe(1)
  await vi.waitFor(async () => {
    expect((await readQueue())?.lastSuccessAt).toEqual(expect.any(String))
  }, PATIENCE_MS)
  await runFeeder(nowMs + 2 * DAY_MS)
  expect(await listNotices()).toHaveLength(2)

  const [notice] = await listNotices()
  if (notice === undefined) throw new Error('there are two')
  const deps = {
    db: worker,
    clock: { now: () => nowMs },
    ledger: createFakeLedger(),
    seal: createOutboxSeal(createKeyRing({ value: 'a secret for tests' })),
  }
  const mail = await composeMail({ ...deps, settings: createSettings(worker, origin) }, notice)
  expect(mail).toMatchObject({
    kind: 'jobs-given-up',
    to: { address: 'office@rock.test' },
    values: { job: QUEUE, count: '1' },
  })
})
