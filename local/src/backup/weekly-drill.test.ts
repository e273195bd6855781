import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getResultPath, type Result, recordResult } from './results.ts'
import { hasTakenBackup, isDrillDue } from './weekly-drill.ts'

const NOW_MS = Date.UTC(2026, 10, 27)
const HOUR_MS = 3_600_000

const own = { attemptMs: null, days: 7, nowMs: NOW_MS }

function isDueAfter(hours: number, passed: boolean): boolean {
  const startedAt = new Date(NOW_MS - hours * HOUR_MS).toISOString()
  const problem = passed ? null : 'event 7 differs'
  const last: Result = { startedAt, seconds: 4, passed, problem, lastPassedAt: null }
  return isDrillDue({ ...own, last })
}

test('a drill is due before the first one', () => {
  expect(isDrillDue({ ...own, last: null })).toBe(true)
})

test('a drill that stored no result is repeated after a day, not at once', () => {
  const isDue = (hours: number) =>
    isDrillDue({ ...own, last: null, attemptMs: NOW_MS - hours * HOUR_MS })
  expect(isDue(1)).toBe(false)
  expect(isDue(24)).toBe(true)
})

test('a drill is due a week after a drill that passed', () => {
  expect(isDueAfter(167, true)).toBe(false)
  expect(isDueAfter(168, true)).toBe(true)
})

test('a drill is due a day after a drill that failed', () => {
  expect(isDueAfter(23, false)).toBe(false)
  expect(isDueAfter(24, false)).toBe(true)
})

test('a drill is due if the clock was set back before the last one', () => {
  expect(isDueAfter(-1, true)).toBe(true)
})

test('with pgBackRest there is a backup after the first success, also if later runs fail', async () => {
  const backupDir = await mkdtemp(join(tmpdir(), 'cairn-weekly-'))
  onTestFinished(() => rm(backupDir, { recursive: true }))
  const hasBackup = () => hasTakenBackup({ backupDir, stanza: 'cairn' })
  const record = (run: () => Promise<object>) =>
    recordResult({ backupDir, command: 'backup' }, run).catch(() => {})
  const fail = () => record(() => Promise.reject(new Error('the repository is full')))
  await fail()
  expect(await hasBackup()).toBe(false)
  await record(async () => ({}))
  expect(await hasBackup()).toBe(true)
  await fail()
  await fail()
  expect(await hasBackup()).toBe(true)

  const released = {
    startedAt: '2026-11-27T02:00:00.000Z',
    seconds: 4,
    passed: true,
    problem: null,
  }
  await writeFile(getResultPath(backupDir, 'backup'), JSON.stringify(released))
  await fail()
  expect(await hasBackup()).toBe(true)
})
