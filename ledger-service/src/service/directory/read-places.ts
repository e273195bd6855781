import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readDirectoryFile } from './directory-file.ts'
import { createOnlyPlace, type Place } from './place.ts'

/**
 * Returns the places of an installation: those in the file LEDGER_DIRECTORY, or the one database
 * LEDGER_DATABASE_URL. Throws if not exactly one of the two is set.
 */
export function readPlaces(env: {
  LEDGER_DIRECTORY?: string | undefined
  LEDGER_DATABASE_URL?: string | undefined
  LEDGER_READ_URL?: string | undefined
  LEDGERS: number
}): readonly Place[] {
  const { LEDGER_DIRECTORY: file, LEDGER_DATABASE_URL: url, LEDGER_READ_URL: readUrl } = env
  if (file !== undefined) {
    if (url !== undefined) throw new Error('set LEDGER_DATABASE_URL or LEDGER_DIRECTORY, not both')
    if (readUrl !== undefined) {
      throw new Error(
        'LEDGER_READ_URL has no effect with LEDGER_DIRECTORY: set readUrl of each place',
      )
    }
    return readDirectoryFile(file, 'cairn_ledger')
  }
  if (url === undefined) throw new Error('set LEDGER_DATABASE_URL or LEDGER_DIRECTORY')
  return [
    createOnlyPlace({
      databaseUrl: requireDatabaseTls('LEDGER_DATABASE_URL', url),
      readUrl: readUrl === undefined ? null : requireDatabaseTls('LEDGER_READ_URL', readUrl),
      count: env.LEDGERS,
    }),
  ]
}
