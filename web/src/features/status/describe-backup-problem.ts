import type { BackupRun, getJobs, ResponseOf } from '@cairn/gateway-contracts'
import { formatDate } from '../../shared/dates/format-date.ts'

const HOUR_MS = 3_600_000
/** The alerts CairnBackupMissing and CairnDrillMissing have the same limits. */
const BACKUP_AGE_MS_MAX = 36 * HOUR_MS
const DRILL_AGE_MS_MAX = 8 * 24 * HOUR_MS

type Runs = Pick<ResponseOf<typeof getJobs>, 'backup' | 'drill'>

/**
 * Says what is wrong with the backups, such as `No backups by Cairn are set up`. Returns null if the last
 * backup and the last restore drill passed and are not too old.
 */
export function describeBackupProblem({ backup, drill }: Runs, nowMs: number): string | null {
  if (backup === null) return 'No backups by Cairn are set up'
  return (
    describeRun(backup, { name: 'backup', oldestMs: nowMs - BACKUP_AGE_MS_MAX }) ??
    (drill && describeRun(drill, { name: 'restore drill', oldestMs: nowMs - DRILL_AGE_MS_MAX }))
  )
}

function describeRun(run: BackupRun, limit: { name: string; oldestMs: number }): string | null {
  const { name, oldestMs } = limit
  if (run.state === 'none') return `No ${name} has run yet`
  if (run.state === 'failed') return `The last ${name} failed`
  if (run.state === 'unreadable') return `Last ${name}: result unknown`
  if (Date.parse(run.startedAt) >= oldestMs) return null
  return `The last ${name} is ${formatDate(run.startedAt, 'age')} old`
}
