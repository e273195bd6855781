import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readDirectoryFile } from '../service/directory/directory-file.ts'
import { findPlace } from '../service/directory/place.ts'
import { UsageError } from './commands.ts'

/**
 * Returns the database that a command reads for a ledger. In the places of a directory, commands
 * connect as the read-only auditor.
 */
export function chooseDatabaseUrl(
  environment: Readonly<Record<string, string | undefined>>,
  ledger: number,
): string {
  const { LEDGER_DATABASE_URL: url, LEDGER_DIRECTORY: file } = environment
  if (file !== undefined) {
    if (url !== undefined) {
      throw new UsageError('set LEDGER_DATABASE_URL or LEDGER_DIRECTORY, not both')
    }
    return findPlace(readDirectoryFile(file, 'cairn_auditor'), ledger).databaseUrl
  }
  if (url === undefined) {
    throw new UsageError(
      'no platform runs on this data directory: start it, or set LEDGER_DATABASE_URL',
    )
  }
  return requireDatabaseTls('LEDGER_DATABASE_URL', url)
}
