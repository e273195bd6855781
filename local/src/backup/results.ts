import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, writeDurably } from './durable-files.ts'

/** The outcome of the last `npm run backup` or `npm run drill`, for people and for monitoring. */
export interface Result {
  readonly startedAt: string
  readonly seconds: number
  readonly passed: boolean
  /** The problem that ended the command; null if the command has succeeded. */
  readonly problem: string | null
  /** The start of the newest run that succeeded; null if none has. */
  readonly lastPassedAt: string | null
}

export const getResultPath = (backupDir: string, command: 'backup' | 'drill'): string =>
  join(backupDir, `last-${command}.json`)

/**
 * Reads the outcome of the last run of a command; null if there is none or if it is damaged, so that
 * the next run replaces it.
 */
export async function readResult(
  backupDir: string,
  command: 'backup' | 'drill',
): Promise<Result | null> {
  const text = await ignoreMissing(readFile(getResultPath(backupDir, command), 'utf8'))
  if (text === null) return null
  try {
    const stored: Result = JSON.parse(text)
    const { startedAt, seconds, passed, problem } = stored
    // Results of 0.9.0 do not have `lastPassedAt`.
    const { lastPassedAt = passed ? startedAt : null } = stored
    if (Number.isNaN(Date.parse(startedAt))) return null
    return { startedAt, seconds, passed, problem, lastPassedAt }
  } catch {
    return null
  }
}

/**
 * A signal has ended the command, or the command could not begin. Its outcome is not stored, because
 * it says nothing.
 */
export class NoOutcome extends Error {}

/** Runs a command and stores its outcome beside the backups, even if the command fails. */
export async function recordResult<Details extends object>(
  place: { backupDir: string; command: 'backup' | 'drill' },
  run: () => Promise<Details>,
): Promise<void> {
  const startedMs = Date.now()
  const startedAt = new Date(startedMs).toISOString()
  const store = async (details: object, problem: string | null) => {
    const before = await readResult(place.backupDir, place.command)
    const result: Result = {
      startedAt,
      seconds: (Date.now() - startedMs) / 1000,
      passed: problem === null,
      problem,
      lastPassedAt: problem === null ? startedAt : (before?.lastPassedAt ?? null),
    }
    const text = `${JSON.stringify({ ...result, ...details }, null, 2)}\n`
    // The gateway reads the result, possibly as another user. It contains nothing about people.
    await writeDurably(getResultPath(place.backupDir, place.command), text, 0o644)
  }
  try {
    await store(await run(), null)
  } catch (error) {
    if (error instanceof NoOutcome) throw error
    await store({}, error instanceof Error ? error.message : String(error))
    throw error
  }
}
