import { describe, expect, test } from 'vitest'
import {
  describeArchive,
  describeDisk,
  describeReleases,
  describeStandbys,
  formatBytes,
  isCertificateEnding,
} from './describe-servers.ts'

const database = {
  version: '18.1',
  bytes: 42_000_000,
  archiveLagSeconds: null,
  archiveWaitingSegments: null,
  standbys: 0,
  standbyLagSeconds: null,
}
const servers = {
  gateway: { release: '0.9.0', backupDisk: null },
  ledger: {
    release: '0.9.0',
    certificateExpiresAt: null,
    disk: { freeBytes: 1, totalBytes: 2 },
    database,
  },
}
const worker = { worker: 'ledger', isReachable: true, queues: [], lags: [] }

test.each([
  [0, '0.0 MB'],
  [4_200_000, '4.2 MB'],
  [999_400_000, '999 MB'],
  [1_500_000_000, '1.5 GB'],
  [1_234_000_000_000, '1,234 GB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

describe('a disk', () => {
  test('says how much is free', () => {
    expect(describeDisk({ freeBytes: 48e9, totalBytes: 252e9 })).toEqual({
      text: '48 GB free of 252 GB (19%)',
      level: 'normal',
    })
  })

  test('with less than a tenth free is a warning', () => {
    expect(describeDisk({ freeBytes: 9.9e9, totalBytes: 100e9 }).level).toBe('fault')
    expect(describeDisk({ freeBytes: 10e9, totalBytes: 100e9 }).level).toBe('normal')
  })
})

describe('the archive', () => {
  test.each([
    [null, 'The server does not archive', 'missing'],
    [0, 'Has all events', 'normal'],
    [0.4, 'May lack the events of the last 1 second', 'normal'],
    [61, 'May lack the events of the last 2 minutes', 'normal'],
    [7_200, 'May lack the events of the last 2 hours', 'fault'],
  ])('with a lag of %s seconds', (archiveLagSeconds, text, level) => {
    expect(describeArchive({ ...database, archiveLagSeconds })).toEqual({ text, level })
  })
})

test('an archive that many segments wait for is a warning, although the last one is new', () => {
  const late = { ...database, archiveLagSeconds: 1, archiveWaitingSegments: 65 }
  expect(describeArchive(late)).toEqual({
    text: '65 segments wait for the archive',
    level: 'fault',
  })
})

test.each([
  [0, null, 'No standby'],
  [1, null, '1 standby connected, delay unknown'],
  [2, 0.2, '2 standbys connected, 1 second behind'],
])('%i standbys with a delay of %s', (standbys, standbyLagSeconds, text) => {
  expect(describeStandbys({ ...database, standbys, standbyLagSeconds })).toBe(text)
})

describe('the releases', () => {
  test('are one number if all programs have the same', () => {
    const workers = [{ ...worker, release: '0.9.0' }]
    expect(describeReleases(servers, workers)).toEqual({ text: 'Cairn 0.9.0', level: 'normal' })
  })

  test('are named for each program during an upgrade', () => {
    const workers = [
      { ...worker, release: '0.10.0' },
      { ...worker, worker: 'gateway', release: null },
      { ...worker, worker: 'third', isReachable: false, release: null },
    ]
    expect(describeReleases(servers, workers)).toEqual({
      text: 'gateway 0.9.0, ledger 0.9.0, ledger worker 0.10.0, gateway worker 0.9.0',
      level: 'fault',
    })
  })
})

test('a certificate is a warning in its last two weeks', () => {
  const nowMs = Date.UTC(2026, 10, 1)
  expect(isCertificateEnding('2026-11-14T00:00:00.000Z', nowMs)).toBe(true)
  expect(isCertificateEnding('2026-11-15T00:00:00.000Z', nowMs)).toBe(false)
})
