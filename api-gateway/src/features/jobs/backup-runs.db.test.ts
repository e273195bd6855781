import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { getJobs, getServers, ResponseOf } from '@cairn/gateway-contracts'
import { createDiskGauge } from '@cairn/service-kit/disk-space'
import { RELEASE } from '@cairn/service-kit/release'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectOk } from '../../../testing/scene.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'
import { createBackupGauges, readBackupRuns } from './backup-runs.ts'

const NOW_MS = Date.parse('2026-11-25T16:00:00.000Z')
// The results that `npm run backup` and `npm run drill` store.
const passed = {
  startedAt: '2026-11-25T15:00:00.000Z',
  seconds: 3.5,
  passed: true,
  problem: null,
  backup: 'backup-20261125T150003Z',
  files: 1797,
}
const failed = {
  startedAt: '2026-11-25T15:30:00.000Z',
  seconds: 6.1,
  passed: false,
  problem: 'ledger 1: event 7 differs from the event of the running platform',
}
const damaged = {
  state: 'unreadable',
  problem: 'last-drill.json is damaged: run npm run drill again',
}

let backupDir: string
let gateway: TestGateway
let admin: Visitor | null
beforeAll(async () => {
  backupDir = await mkdtemp(join(tmpdir(), 'cairn-backup-runs-'))
  gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, backupDir }) })
  admin = await visitAs(gateway, 'admin')
})
afterAll(async () => {
  await gateway?.stop()
  await rm(backupDir, { recursive: true })
})
beforeEach(async () => {
  await rm(backupDir, { recursive: true })
  await mkdir(backupDir)
})

const store = (command: 'backup' | 'drill', content: string | object) =>
  writeFile(
    join(backupDir, `last-${command}.json`),
    typeof content === 'string' ? content : JSON.stringify(content),
  )

async function readJobs(): Promise<ResponseOf<typeof getJobs>> {
  return await expectOk(send(gateway, admin, { method: 'GET', path: '/admin/jobs' }))
}

async function readGauges(): Promise<Readonly<Record<string, number>>> {
  const gauges = createBackupGauges(backupDir, () => NOW_MS)
  const values = await Promise.all(
    gauges.map(async ({ name, read }) => [name.replace('cairn_', ''), await read()] as const),
  )
  return Object.fromEntries(values)
}

describe('the last backup and the last drill', () => {
  test('are shown to administrators with their outcome, and measured', async () => {
    await store('backup', passed)
    await store('drill', failed)
    expect(await readJobs()).toEqual({
      workers: [],
      backup: { state: 'passed', startedAt: passed.startedAt, seconds: 3.5 },
      drill: {
        state: 'failed',
        startedAt: failed.startedAt,
        seconds: 6.1,
        problem: failed.problem,
      },
    })
    expect(await readGauges()).toEqual({
      backup_age_seconds: 3_600,
      backup_failed: 0,
      drill_age_seconds: 1_800,
      drill_failed: 1,
    })
  })

  test('are missing before the first run', async () => {
    expect(await readJobs()).toMatchObject({ backup: { state: 'none' }, drill: { state: 'none' } })
    expect(await readGauges()).toEqual({
      backup_age_seconds: -1,
      backup_failed: 0,
      drill_age_seconds: -1,
      drill_failed: 0,
    })
  })

  test('are null without a folder', async () => {
    expect(await readBackupRuns(null)).toEqual({ backup: null, drill: null })
  })

  test('have no negative age if the clock is behind', async () => {
    await store('backup', { ...passed, startedAt: '2026-11-25T16:00:05.000Z' })
    expect(await readGauges()).toMatchObject({ backup_age_seconds: 0 })
  })

  test.each([
    ['a part of a result', JSON.stringify(passed).slice(0, 40)],
    ['an empty file', ''],
    ['bytes', '\u0000\uFFFD'],
    ['another value', 'null'],
    ['a result without an outcome', { ...passed, passed: undefined }],
    ['a time that is none', { ...passed, startedAt: 'yesterday' }],
    ['a file that is too large', { ...passed, padding: 'x'.repeat(70_000) }],
  ])('are unknown for %s, and the jobs are still shown', async (_what, content) => {
    await store('backup', passed)
    await store('drill', content)
    expect(await readJobs()).toMatchObject({ backup: { state: 'passed' }, drill: damaged })
    expect(await readGauges()).toMatchObject({
      backup_failed: 0,
      drill_age_seconds: -1,
      drill_failed: 1,
    })
  })

  test('are unknown if the file cannot be read', async () => {
    await mkdir(join(backupDir, 'last-drill.json'))
    const problem = 'last-drill.json cannot be read (EISDIR)'
    expect((await readJobs()).drill).toEqual({ state: 'unreadable', problem })
  })

  test('are not in the public status', async () => {
    await store('drill', failed)
    const { body } = await send(gateway, null, { method: 'GET', path: '/public/status' })
    expect(JSON.stringify(body)).not.toContain('drill')
  })
})

describe('the servers', () => {
  const readServers = (): Promise<ResponseOf<typeof getServers>> =>
    expectOk(send(gateway, admin, { method: 'GET', path: '/admin/servers' }))

  test('are shown with their releases, their database and their disks', async () => {
    const { gateway: own, ledger } = await readServers()
    expect(own.release).toBe(RELEASE)
    expect(own.backupDisk?.totalBytes).toBeGreaterThan(own.backupDisk?.freeBytes ?? 0)
    expect(ledger).toMatchObject({
      release: RELEASE,
      certificateExpiresAt: null,
      database: { archiveLagSeconds: null, standbys: 0, standbyLagSeconds: null },
    })
    expect(ledger.database.version).toMatch(/^\d+\.\d+/)
    expect(ledger.database.bytes).toBeGreaterThan(1_000_000)
    expect(ledger.disk?.totalBytes ?? 2).toBeGreaterThan(ledger.disk?.freeBytes ?? 1)
  })

  test('have a measured disk of the backups, and no value if it cannot be read', async () => {
    const gauge = createDiskGauge('backups', backupDir)
    const ratio = (await gauge.read()).get('backups')
    expect(ratio).toBeGreaterThan(0)
    expect(ratio).toBeLessThan(1)
    await rm(backupDir, { recursive: true })
    expect(await gauge.read()).toEqual(new Map())
    expect((await readServers()).gateway.backupDisk).toBeNull()
    await mkdir(backupDir)
  })
})
