import { join } from 'node:path'
import { writeDurably } from './durable-files.ts'

/** The outcome of the last `npm run backup` or `npm run drill`, for people and for monitoring. */
export interface Result {
  readonly startedAt: string
  readonly seconds: number
  readonly passed: boolean
  /** The problem that ended the command; null if the command has succeeded. */
  readonly problem: string | null
}

export const getResultPath = (backupDir: string, command: 'backup' | 'drill'): string =>
  join(backupDir, `last-${command}.json`)

/** Runs a command and stores its outcome beside the backups, even if the command fails. */
export async function recordResult<Details extends object>(
  place: { backupDir: string; command: 'backup' | 'drill' },
  run: () => Promise<Details>,
): Promise<void> {
  const startedMs = Date.now()
  const store = async (details: object, problem: string | null) => {
    const result: Result = {
      startedAt: new Date(startedMs).toISOString(),
      seconds: (Date.now() - startedMs) / 1000,
      passed: problem === null,
      problem,
    }
    const text = `${JSON.stringify({ ...result, ...details }, null, 2)}\n`
    await writeDurably(getResultPath(place.backupDir, place.command), text)
  }
  try {
    await store(await run(), null)
  } catch (error) {
    await store({}, error instanceof Error ? error.message : String(error))
    throw error
  }
}
