import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { ROOT, readEnvironment } from './environment.ts'
import { type DatabaseAddresses, findAddresses } from './running.ts'
import { readSecrets } from './secrets.ts'

// `npm run admin -- …` runs account commands on the database of the platform that runs here, or on
// GATEWAY_DATABASE_URL.
const environment = readEnvironment(process.env)
const given = readSecretFiles(process.env)
const found = await findAddresses(environment.dataDir)
const url = given.GATEWAY_DATABASE_URL ?? found?.gateway
if (url === undefined) {
  process.stderr.write(
    `no platform runs on ${environment.dataDir}: start it first, or set GATEWAY_DATABASE_URL and PUBLIC_URL\n`,
  )
  process.exit(1)
}
const publicUrl = given.PUBLIC_URL || found?.site || environment.publicUrl
const child = spawn(
  process.execPath,
  [join(ROOT, 'api-gateway', 'src', 'admin.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...given,
      ...environment.objectStore,
      ...(found === null ? {} : await readLedgerVariables(found)),
      GATEWAY_DATABASE_URL: url,
      PUBLIC_URL: publicUrl,
      DEMO: '0',
    },
  },
)
child.once('exit', (code) => process.exit(code ?? 1))

/** Reads the ledger address of the running platform; environment variables take precedence. */
async function readLedgerVariables(addresses: DatabaseAddresses): Promise<Record<string, string>> {
  const { callerTokens, keyFiles } = await readSecrets(environment.dataDir)
  return {
    LEDGER_URL: given.LEDGER_URL ?? addresses.ledger,
    LEDGER: String(environment.ledger),
    SERVICE_TOKEN: given.SERVICE_TOKEN ?? callerTokens.server,
    ...keyFiles,
  }
}
