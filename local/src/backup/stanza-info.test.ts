import { describe, expect, test } from 'vitest'
import { explainFailure, findReason, requireSupport } from './pgbackrest.ts'
import { explainRetention } from './pgbackrest-store.ts'
import {
  chooseBackup,
  isFullDue,
  requireEncryption,
  requireSameServer,
  type StanzaInfo,
} from './stanza-info.ts'

const NOW_MS = Date.UTC(2026, 10, 28)
const DAY_SECONDS = 86_400

function createBackup(label: string, ageDays: number): StanzaInfo['backup'][number] {
  const stop = NOW_MS / 1_000 - ageDays * DAY_SECONDS
  const type = label.endsWith('F') ? 'full' : 'incr'
  const info = { size: 1, repository: { delta: 1 } }
  return { label, type, timestamp: { start: stop - 1, stop }, info }
}

function createInfo(backup: StanzaInfo['backup'], cipher = 'aes-256-cbc'): StanzaInfo {
  return {
    status: { code: 0, message: 'ok' },
    repo: [{ key: 1, cipher }],
    // The number that JSON.parse returns for 7577612345678901234.
    db: [{ 'system-id': Number('7577612345678901234'), version: '15' }],
    archive: [],
    backup,
  }
}

const OF_DAYS = createInfo([createBackup('oneF', 8), createBackup('oneF_twoI', 1)])
const NEWEST = { until: null, named: null }

describe('chooseBackup', () => {
  test('returns the newest backup, the newest one before a time, or the named one', () => {
    expect(chooseBackup(OF_DAYS, NEWEST).label).toBe('oneF_twoI')
    const until = new Date(NOW_MS - 2 * DAY_SECONDS * 1_000)
    expect(chooseBackup(OF_DAYS, { until, named: null }).label).toBe('oneF')
    expect(chooseBackup(OF_DAYS, { until: null, named: 'oneF' }).label).toBe('oneF')
  })

  test('says what is there instead', () => {
    expect(() => chooseBackup(createInfo([]), NEWEST)).toThrow('run npm run backup')
    const until = new Date(NOW_MS - 9 * DAY_SECONDS * 1_000)
    expect(() => chooseBackup(OF_DAYS, { until, named: null })).toThrow('the oldest backup ends at')
    expect(() => chooseBackup(OF_DAYS, { until: null, named: 'x' })).toThrow('it has: oneF, oneF_t')
  })
})

test('a full backup is due a week after the newest full one', () => {
  expect(isFullDue(createInfo([]), NOW_MS)).toBe(true)
  expect(isFullDue(OF_DAYS, NOW_MS)).toBe(true)
  expect(isFullDue(createInfo([createBackup('oneF', 6.9)]), NOW_MS)).toBe(true)
  expect(isFullDue(createInfo([createBackup('oneF', 6)]), NOW_MS)).toBe(false)
})

test('a repository without a cipher is refused, also the second one', () => {
  expect(() => requireEncryption(OF_DAYS)).not.toThrow()
  expect(() => requireEncryption(createInfo([], 'none'))).toThrow('repo1-cipher-type=aes-256-cbc')
  const repo = [...OF_DAYS.repo, { key: 2, cipher: 'none' }]
  expect(() => requireEncryption({ ...OF_DAYS, repo })).toThrow('repository 2 of pgBackRest')
})

test('a stanza of another server is refused', () => {
  expect(() => requireSameServer(OF_DAYS, 'main', '7577612345678901234')).not.toThrow()
  expect(() => requireSameServer(OF_DAYS, 'main', '7577612345678900000')).toThrow(
    'the stanza main is of another server than DATABASE_URL',
  )
})

test('backups that are kept too long are reported once', () => {
  const notSet = `option 'repo1-retention-full' is not set for 'repo1-retention-full-type=count'`
  const now = new Date(NOW_MS)
  const old = createInfo([createBackup('oneF', 31)])
  expect(explainRetention(old, { warnings: [notSet], now })).toHaveLength(1)
  expect(explainRetention(old, { warnings: [notSet], now })[0]).toContain('keeps all backups')
  expect(explainRetention(old, { warnings: [], now })[0]).toContain('oneF is older than 30 days')
  expect(explainRetention(OF_DAYS, { warnings: ['other'], now })).toEqual(['other'])
})

test('PostgreSQL 18 needs pgBackRest 2.55', () => {
  expect(() => requireSupport('pgBackRest 2.45\n', 15)).not.toThrow()
  expect(() => requireSupport('pgBackRest 2.55.1\n', 18)).not.toThrow()
  expect(() => requireSupport('pgBackRest 2.54.2\n', 18)).toThrow(
    'pgBackRest 2.54 does not support PostgreSQL 18, which needs 2.55',
  )
})

test('a failure has the reason and the hints of pgBackRest in one sentence', () => {
  const errors =
    'WARN: unable to check pg1: no such file\nERROR: [027]: no database found\n' +
    '       HINT: check indexed pg-path/pg-host configurations\n'
  expect(explainFailure('check', errors)).toBe(
    'pgbackrest check failed: no database found (check indexed pg-path/pg-host configurations)',
  )
  const damaged = 'ERROR: [102]: unable to get 00000001:\n       repo1: unexpected eof\nLOG: next\n'
  expect(findReason(damaged)).toBe('unable to get 00000001: repo1: unexpected eof')
  expect(explainFailure('check', 'Killed\n')).toBe('pgbackrest check failed: Killed')
  expect(explainFailure('check', '')).toContain('it printed no reason')
})
