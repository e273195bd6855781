import { expect, test } from 'vitest'
import { describeBackupProblem } from './describe-backup-problem.ts'

const NOW_MS = Date.now()
const HOUR_MS = 3_600_000
const createPassedRun = (ageHours: number) => ({
  state: 'passed' as const,
  startedAt: new Date(NOW_MS - ageHours * HOUR_MS).toISOString(),
  seconds: 1,
})

test('missing, failed and old backups are named', () => {
  const drill = createPassedRun(24)
  const describeBackup = (backup: Parameters<typeof describeBackupProblem>[0]['backup']) =>
    describeBackupProblem({ backup, drill }, NOW_MS)
  const failed = { ...createPassedRun(1), state: 'failed' as const, problem: 'disk full' }
  expect(describeBackupProblem({ backup: null, drill: null }, NOW_MS)).toBe(
    'No backups by Cairn are set up',
  )
  expect(describeBackup({ state: 'none' })).toBe('No backup has run yet')
  expect(describeBackup(failed)).toBe('The last backup failed')
  expect(describeBackup({ state: 'unreadable', problem: 'damaged' })).toBe(
    'Last backup: result unknown',
  )
  expect(describeBackup(createPassedRun(72))).toBe('The last backup is 3 days old')
  expect(describeBackup(createPassedRun(35))).toBeNull()
})

test('a restore drill that is missing or old is named after the backup', () => {
  const backup = createPassedRun(1)
  const drill = { state: 'none' as const }
  expect(describeBackupProblem({ backup, drill }, NOW_MS)).toBe('No restore drill has run yet')
  expect(describeBackupProblem({ backup, drill: createPassedRun(9 * 24) }, NOW_MS)).toBe(
    'The last restore drill is 9 days old',
  )
  expect(describeBackupProblem({ backup, drill: createPassedRun(7 * 24) }, NOW_MS)).toBeNull()
  expect(describeBackupProblem({ backup: { state: 'none' }, drill }, NOW_MS)).toBe(
    'No backup has run yet',
  )
})
