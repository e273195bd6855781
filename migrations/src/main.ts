import { parseArgs } from 'node:util'
import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { parseShape } from './citus-shape.ts'
import { migrate } from './migrate.ts'
import { parseScope } from './scope.ts'

// ROLE_PASSWORDS is a JSON object of passwords by role name, for a database that has no roles yet.
// MIGRATE_CONTRACT=1 says that each running process is of this version or of the version before it.
// `--only ledger` or `--only site` migrates a database that holds only this part of the platform.
// `--shape citus` distributes the tables of the ledger over the nodes of a Citus cluster.
const environment = readSecretFiles(process.env)
const databaseUrl = environment.DATABASE_URL
if (databaseUrl === undefined || databaseUrl === '') {
  process.stderr.write('DATABASE_URL must name the database to migrate\n')
  process.exit(2)
}
const passwords: Record<string, string> = JSON.parse(environment.ROLE_PASSWORDS ?? '{}')

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, shape: { type: 'string' } },
  })
  const only = values.only === undefined ? null : parseScope(values.only)
  const shape = values.shape === undefined ? 'plain' : parseShape(values.shape)
  requireDatabaseTls('DATABASE_URL', databaseUrl)
  const log = (line: string) => process.stdout.write(`${line}\n`)
  const isContractAllowed = environment.MIGRATE_CONTRACT === '1'
  const applied = await migrate({ databaseUrl, passwords, only, shape, log, isContractAllowed })
  if (applied.length === 0) log('nothing to migrate')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
