import type { Environment } from '../environment.ts'
import { createEmbeddedStore } from './embedded-store.ts'
import { createPgBackRestStore } from './pgbackrest-store.ts'
import type { BackupStore } from './store.ts'

/** Chooses where the backups of an installation are. Throws if it has no such place. */
export function openStore(environment: Environment, backupDir: string): BackupStore {
  const { databaseUrl, stanza } = environment
  if (databaseUrl === null) return createEmbeddedStore(environment, backupDir)
  if (stanza !== null) return createPgBackRestStore({ databaseUrl, stanza, backupDir })
  throw new Error(
    'the server of DATABASE_URL is backed up by pgBackRest: install it, create a stanza and set ' +
      'PGBACKREST_STANZA to its name, or use other tools of that server, such as pg_dump',
  )
}
