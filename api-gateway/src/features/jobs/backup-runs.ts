import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupRun } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { GaugeOptions } from '../../platform/metrics/metrics.ts'

const RESULT_BYTES_MAX = 65_536
const PROBLEM_CHARACTERS_MAX = 1_000

type Command = 'backup' | 'drill'

/**
 * The part of a result that the site shows. The results that `npm run backup` and `npm run drill`
 * store also contain numbers that are not shown.
 */
const Result = z
  .object({
    startedAt: z.iso.datetime(),
    seconds: z.number().min(0),
    passed: z.boolean(),
    problem: z.string().nullable(),
  })
  .transform(({ passed, problem, startedAt, seconds }): BackupRun => {
    if (passed) return { state: 'passed', startedAt, seconds }
    const text = (problem ?? 'no problem was stored').slice(0, PROBLEM_CHARACTERS_MAX)
    return { state: 'failed', startedAt, seconds, problem: text }
  })

/**
 * Reads the outcomes of the last backup and the last drill. Both outcomes are null if no folder is
 * configured.
 */
export async function readBackupRuns(
  backupDir: string | null,
): Promise<Record<Command, BackupRun | null>> {
  if (backupDir === null) return { backup: null, drill: null }
  const [backup, drill] = await Promise.all([
    readBackupRun(backupDir, 'backup'),
    readBackupRun(backupDir, 'drill'),
  ])
  return { backup, drill }
}

/**
 * Reads the outcome of the last run of one command. Never throws: a damaged file must not hide the
 * state of the workers or end a scrape of the metrics.
 */
export async function readBackupRun(backupDir: string, command: Command): Promise<BackupRun> {
  const name = `last-${command}.json`
  try {
    const text = await readSmallFile(join(backupDir, name))
    const result = Result.safeParse(JSON.parse(text))
    if (result.success) return result.data
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    if (code === 'ENOENT') return { state: 'none' }
    if (code !== null) return { state: 'unreadable', problem: `${name} cannot be read (${code})` }
  }
  return { state: 'unreadable', problem: `${name} is damaged: run npm run ${command} again` }
}

/** Throws if the file is too large to be a result. */
async function readSmallFile(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > RESULT_BYTES_MAX) throw new Error(`${path} is larger than ${RESULT_BYTES_MAX} bytes`)
  return readFile(path, 'utf8')
}

/** Creates the gauges of the age and the outcome of the last backup and the last drill. */
export function createBackupGauges(backupDir: string, now: () => number): readonly GaugeOptions[] {
  return (['backup', 'drill'] as const).flatMap((command) => [
    {
      name: `cairn_${command}_age_seconds`,
      help: `Time since the start of the last npm run ${command}; -1 before the first run`,
      read: async () => {
        const run = await readBackupRun(backupDir, command)
        if (!('startedAt' in run)) return -1
        // If the clock was set back, the age would be negative. A negative age is not allowed,
        // because -1 means that there is no run.
        return Math.max(0, Math.round((now() - Date.parse(run.startedAt)) / 1_000))
      },
    },
    {
      name: `cairn_${command}_failed`,
      help: `1 if the last npm run ${command} failed or its result cannot be read, else 0`,
      read: async () => {
        const { state } = await readBackupRun(backupDir, command)
        return state === 'failed' || state === 'unreadable' ? 1 : 0
      },
    },
  ])
}
