import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ENDING, getArchivePath } from './archive-settings.ts'
import { writeArchivedRange } from './archived.ts'
import {
  copyGrown,
  type GrownFile,
  getCheckpointsPath,
  listLongerFiles,
} from './checkpoint-copies.ts'
import { listFolder } from './durable-files.ts'
import { copyErasures } from './erasures.ts'
import { copySecrets } from './secrets-copies.ts'
import { parseSegment } from './segments.ts'

const PERIOD_MS = 5_000

/** Copies, while a platform runs, the files that a restore needs besides the database. */
export interface CopyKeeper {
  /**
   * Ends the copying. The caller calls it after the services have stopped and before the database
   * stops.
   */
  stop(): Promise<void>
  /**
   * Copies the last checkpoints. The caller calls it after the database has stopped and archived
   * all segments. Logs a failure, which must not prevent the end of the platform.
   */
  finish(): Promise<void>
}

interface Keeping {
  readonly ownerUrl: string
  readonly dataDir: string
  readonly backupDir: string
  readonly log: (line: string) => void
  readonly periodMs?: number
  /** Returns true if a segment is archived. A sabotage test replaces this function. */
  readonly isArchived?: (segment: number, newest: number) => boolean
}

/** Checkpoint files that are copied after the archive contains this segment. */
interface Waiting {
  readonly files: readonly GrownFile[]
  readonly segment: number
}

/**
 * Starts to copy the secrets, the checkpoints and the list of deleted people into BACKUP_DIR. A
 * checkpoint is copied only after the archive contains its events. Otherwise a restored database
 * could contradict the checkpoint, and the ledger would not start.
 */
export function startCopying(keeping: Keeping): CopyKeeper {
  const { ownerUrl, dataDir, backupDir, log, periodMs = PERIOD_MS } = keeping
  const { isArchived = (segment, newest) => segment <= newest } = keeping
  const [from, to] = [getCheckpointsPath(dataDir), getCheckpointsPath(backupDir)]
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, application_name: 'cairn-copies' })
  pool.on('error', () => {})
  const stopping = new AbortController()
  let waiting: Waiting | null = null
  let lastProblem: string | null = null
  let lastArchived: string | null = null

  async function copyFiles(): Promise<void> {
    await copySecrets({ dataDir, backupDir, now: new Date() })
    await copyErasures(pool, backupDir)
    const { segment, at, problem } = await readArchiver(pool)
    logProblem(problem)
    if (segment !== null && at !== null && segment !== lastArchived) {
      await writeArchivedRange(backupDir, { segment, at })
      lastArchived = segment
    }
    await copyArchivedFiles(parseSegment(segment ?? '')?.number ?? -1)
    waiting ??= await findWaitingFiles()
  }

  async function findWaitingFiles(): Promise<Waiting | null> {
    const files = await listLongerFiles(from, to)
    if (files.length === 0) return null
    const { rows } = await pool.query(
      'select pg_walfile_name(pg_current_wal_insert_lsn()) as segment',
    )
    return { files, segment: parseSegment(rows[0].segment)?.number ?? Number.POSITIVE_INFINITY }
  }

  async function copyArchivedFiles(newest: number): Promise<void> {
    if (waiting === null || !isArchived(waiting.segment, newest)) return
    const { files } = waiting
    // If a file cannot be copied, the next call lists the files again.
    waiting = null
    await copyGrown(files, { from, to })
  }

  async function copyLastFiles(): Promise<void> {
    const newest = await findNewestBackup(backupDir)
    if (newest === null) return
    await writeArchivedRange(backupDir, { segment: newest, at: new Date().toISOString() })
    await copyArchivedFiles(parseSegment(newest)?.number ?? -1)
  }

  function logFailure(error: unknown): void {
    log(`backup copies: ${error instanceof Error ? error.message : String(error)}`)
  }

  /**
   * Logs the problem if it differs from the problem of the previous call. Null means that there is
   * no problem.
   */
  function logProblem(problem: string | null): void {
    if (problem !== null && problem !== lastProblem) log(problem)
    lastProblem = problem
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await copyFiles().catch((error: Error) => logProblem(`backup copies: ${error.message}`))
      await sleep(periodMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()

  return {
    stop: async () => {
      stopping.abort()
      await running
      try {
        await copyFiles()
        waiting = await findWaitingFiles()
      } catch (error) {
        logFailure(error)
      } finally {
        await pool.end()
      }
    },
    finish: () => copyLastFiles().catch(logFailure),
  }
}

async function readArchiver(
  pool: pg.Pool,
): Promise<{ segment: string | null; at: string | null; problem: string | null }> {
  const { rows } = await pool.query(
    `select substr(last_archived_wal, 1, 24) as segment, to_json(last_archived_time)#>>'{}' as at,
       case when last_failed_time > coalesce(last_archived_time, '-infinity')
         then last_failed_wal end as failed
     from pg_stat_archiver`,
  )
  const { segment, at, failed } = rows[0]
  const isSegment = parseSegment(segment ?? '') !== null
  const problem =
    failed === null
      ? null
      : `the write-ahead log ${failed} cannot be archived; the log of the database server has the reason`
  return { segment: isSegment ? segment : null, at: isSegment ? at : null, problem }
}

/**
 * Returns the name of the newest archived segment of the newest timeline, or null if the archive is
 * empty.
 */
async function findNewestBackup(backupDir: string): Promise<string | null> {
  const names = await listFolder(getArchivePath(backupDir))
  const segments = names
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .filter((name) => parseSegment(name) !== null)
  return segments.at(-1) ?? null
}
