import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { VARIABLES } from '../environment.ts'

/** Variables that name a place of one machine. They are chosen again on the next machine. */
const OF_ONE_MACHINE = [
  'DATA_DIR',
  'BACKUP_DIR',
  'DATABASE_URL',
  'PGBACKREST_STANZA',
  'CAIRN_CLOCK_FILE',
  'NODE_ENV',
]

/** Returns the variables that were set for `npm start`, as a file that a shell reads. */
export function formatSettings(environment: NodeJS.ProcessEnv): string {
  const given = readSecretFiles(environment)
  const lines = Object.keys(VARIABLES)
    .filter((name) => !OF_ONE_MACHINE.includes(name) && (given[name] ?? '') !== '')
    .map((name) => `export ${name}='${(given[name] ?? '').replaceAll("'", `'\\''`)}'\n`)
  return lines.join('')
}
