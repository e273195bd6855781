import type { Environment } from '../environment.ts'
import { type DatabaseAddresses, findAddresses, findPlatform } from '../running.ts'

/** Runs a command. Prints an error as one line on standard error and sets exit code 1. */
export async function runCommand(
  command: (print: (line: string) => void) => Promise<void>,
): Promise<void> {
  try {
    await command((line) => process.stdout.write(`[cairn] ${line}\n`))
  } catch (error) {
    process.stderr.write(`[cairn] ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

export function requireBackupDir({ backupDir }: Environment): string {
  if (backupDir !== null) return backupDir
  throw new Error('set BACKUP_DIR to the folder of the backups')
}

/** Returns the addresses of the platform that runs here on its own database, or null. */
export async function findOwnDatabase(environment: Environment): Promise<DatabaseAddresses | null> {
  const { dataDir, databaseUrl } = environment
  // A killed platform does not delete its file of addresses, so this function also checks the
  // process.
  if (databaseUrl !== null || findPlatform(dataDir) === null) return null
  return findAddresses(dataDir)
}

/** Parses `--to`. Throws if the text is not a past time with a zone. */
export function parseTime(text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (!/(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime())) {
    throw new Error(`--to must be a time such as 2026-11-25T10:00:00Z, not "${text}"`)
  }
  if (time.getTime() <= Date.now()) return time
  throw new Error(`--to must be in the past, not "${text}"; leave out --to for the newest state`)
}

export function formatSeconds(since: Date): string {
  return `${((Date.now() - since.getTime()) / 1000).toFixed(1)} s`
}
