import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { type Environment, ROOT } from '../environment.ts'
import { spawnPart, stopGroup } from '../part.ts'
import { listBackupNames } from './backup-folder.ts'
import { removeLeftCopies } from './drill-copies.ts'
import { type Result, readResult } from './results.ts'

const CHECK_MS = 600_000
const DAY_MS = 86_400_000

/** Runs the drill of a platform every `DRILL_DAYS` days. */
export interface DrillSchedule {
  /** Ends a drill that is running, and starts no further drill. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * True if a drill has to run: `days` days after a drill that passed, a day after one that failed.
 * `attemptMs` is the time at which this process last started a drill; null before the first one. A
 * drill that stored no result, for example because it was killed, is not repeated at once.
 */
export function isDrillDue({
  last,
  attemptMs,
  days,
  nowMs,
}: {
  last: Result | null
  attemptMs: number | null
  days: number
  nowMs: number
}): boolean {
  if (attemptMs !== null && nowMs - attemptMs < DAY_MS) return false
  if (last === null) return true
  const ageMs = nowMs - Date.parse(last.startedAt)
  // A time in the future means that the clock was set back, so the age is unknown.
  return ageMs < 0 || ageMs >= (last.passed ? days * DAY_MS : DAY_MS)
}

/**
 * Runs `npm run drill` as a process of its own when it is due and there is a backup. The time of the
 * last drill is read from `BACKUP_DIR`, so a restart of the platform does not postpone the drill, and
 * a drill that a person has run counts. The output is in `logs/drill.log`.
 */
export function startWeeklyDrill({
  environment: { backupDir, dataDir, ledgers, drillDays, stanza },
  log,
  checkMs = CHECK_MS,
}: {
  environment: Pick<Environment, 'dataDir' | 'ledgers' | 'drillDays' | 'stanza'> & {
    backupDir: string
  }
  log: (line: string) => void
  checkMs?: number
}): DrillSchedule {
  let child: ChildProcess | null = null
  let attemptMs: number | null = null
  let isStopping = false

  async function runIfDue(): Promise<void> {
    if (child !== null || isStopping) return
    const [last, hasBackup] = await Promise.all([
      readResult(backupDir, 'drill'),
      hasTakenBackup({ backupDir, stanza }),
    ])
    const nowMs = Date.now()
    if (!hasBackup || isStopping) return
    if (!isDrillDue({ last, attemptMs, days: drillDays, nowMs })) return
    attemptMs = nowMs
    const started = spawnDrill()
    child = started
    started.once('error', (error) => {
      child = null
      report(error)
    })
    started.once('exit', (code) => {
      child = null
      if (isStopping) return
      log(code === 0 ? 'the weekly drill passed' : `the weekly drill failed: see ${logFile}`)
    })
  }

  const logFile = join(dataDir, 'logs', 'drill.log')
  function spawnDrill(): ChildProcess {
    const started = spawnPart({
      args: [join(ROOT, 'local', 'src', 'drill.ts')],
      logFile,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        BACKUP_DIR: backupDir,
        LEDGERS: String(ledgers),
      },
    })
    lowerPriority(started)
    return started
  }

  const report = (error: Error) => log(`the weekly drill did not begin: ${error.message}`)
  // A drill that was killed has left its copy, which has the secrets of the platform.
  removeLeftCopies().catch(report)
  const timer = setInterval(() => {
    runIfDue().catch(report)
  }, checkMs).unref()

  return {
    stop: async (timeoutMs) => {
      isStopping = true
      clearInterval(timer)
      if (child !== null) await stopGroup(child, timeoutMs)
    },
  }
}

/**
 * The backups of pgBackRest are elsewhere, but the result of `npm run backup` is in `BACKUP_DIR`. A
 * failed run leaves the earlier backups in place.
 */
export async function hasTakenBackup({
  backupDir,
  stanza,
}: {
  backupDir: string
  stanza: string | null
}): Promise<boolean> {
  if (stanza === null) return (await listBackupNames(backupDir)).length > 0
  const last = await readResult(backupDir, 'backup')
  return last !== null && last.lastPassedAt !== null
}

/** The restored copy must not take the processor from the running platform. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended already.
  }
}
