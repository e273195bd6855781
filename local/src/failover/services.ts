import { join } from 'node:path'
import type { ApiClient } from '@cairn/gateway-contracts'
import {
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import pg from 'pg'
import { type Database, migrateDatabase, startDatabase } from '../database.ts'
import { signIn } from '../demo/site-client.ts'
import { createAdmin, importUsers } from '../demo/users.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { findFreePort } from '../free-port.ts'
import { waitForHealth } from '../health.ts'
import { type Part, startPart } from '../part.ts'
import { listPartSpecs } from '../parts.ts'
import { readSecrets, type Secrets } from '../secrets.ts'

const INSTANCES = 2
const HEALTH_MS_MAX = 60_000
const STOP_MS = 10_000
const ADMIN = { email: 'admin@cairn.example', password: 'failover-admin', name: 'Ada Keeper' }

/** Two ledger services and two gateways of this checkout, in front of one database. */
export interface Services {
  readonly database: Database
  /** Calls the first ledger service. */
  readonly ledger: LedgerClient
  /** The folders of the checkpoints of both ledger services. */
  readonly checkpointFolders: readonly string[]
  /** Sessions of an administrator, one at each gateway. */
  readonly gateways: readonly ApiClient[]
  /** The investor who receives the payments. */
  readonly investorId: string
  /** Waits until all processes answer. */
  waitUntilHealthy(): Promise<void>
  stop(): Promise<void>
}

export async function startServices(start: {
  folder: string
  /** The URL of the database server with the account of its superuser. */
  serverUrl: string
  durability: 'local' | 'standby'
  log: (line: string) => void
}): Promise<Services> {
  const { folder, serverUrl, durability, log } = start
  const dataDir = join(folder, 'services')
  const environment = readEnvironment({
    DATA_DIR: dataDir,
    DATABASE_URL: await createDatabase(serverUrl),
    LEDGER_DURABILITY: durability,
    RATE_LIMIT_SCALE: '10000',
    LOG_LEVEL: 'warn',
  })
  const secrets = await readSecrets(dataDir)
  const database = await startDatabase({ environment, secrets, log })
  await migrateDatabase(database, secrets, log)
  const parts: Part[] = []
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop(STOP_MS)))
    await database.stop()
  }
  try {
    const started = await startParts({ environment, secrets, database, folder, log, parts })
    const [url = ''] = started.ledgerUrls
    const ledger = createLedgerClient({ url, token: secrets.ledgerToken })
    const people = await addPeople({ ledger, database, ...started })
    const { healthUrls, checkpointFolders } = started
    return {
      database,
      ...people,
      ledger,
      checkpointFolders,
      waitUntilHealthy: () => waitForAll(healthUrls),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query('create database cairn').finally(() => client.end())
  const url = new URL(serverUrl)
  url.pathname = '/cairn'
  return url.href
}

interface StartedParts {
  readonly ledgerUrls: readonly string[]
  readonly gatewayUrls: readonly string[]
  readonly healthUrls: readonly string[]
  readonly checkpointFolders: readonly string[]
}

/** Starts the ledger services one after the other, because the first one creates the signing key. */
async function startParts(start: {
  environment: Environment
  secrets: Secrets
  database: Database
  folder: string
  log: (line: string) => void
  parts: Part[]
}): Promise<StartedParts> {
  const { environment, folder, log, parts } = start
  const ledgerPorts = await chooseFreePorts()
  const gatewayPorts = await chooseFreePorts()
  const ledgerUrls = ledgerPorts.map((port) => `http://127.0.0.1:${port}`)
  const gatewayUrls = gatewayPorts.map((port) => `http://127.0.0.1:${port}`)
  const checkpointFolders = ledgerPorts.map((_, place) => join(folder, `checkpoints-${place + 1}`))
  const specs = listPartSpecs({
    ...start,
    ports: { ledger: 1, ledgerWorker: 1, gatewayWorker: 1 },
    webDist: join(folder, 'no-pages'),
  })
  const startOne = async (
    kind: 'ledger' | 'gateway',
    { place, env }: { place: number; env: Record<string, string> },
  ) => {
    const spec = specs.find(({ name }) => name === kind)
    if (spec === undefined) throw new Error(`there is no ${kind}`)
    const name = `${kind}-${place + 1}`
    parts.push(
      startPart({
        name,
        args: spec.args,
        env: { ...spec.env, ...env },
        logFile: join(folder, `${name}.log`),
        log,
        onStarted: () => {},
        onGivenUp: (error) => log(error.message),
      }),
    )
  }
  for (const [place, port] of ledgerPorts.entries()) {
    const env = {
      LEDGER_PORT: String(port),
      LEDGER_CHECKPOINT_DIR: checkpointFolders[place] ?? '',
    }
    await startOne('ledger', { place, env })
    await waitForAll([`${ledgerUrls[place]}/healthz`])
  }
  for (const [place, port] of gatewayPorts.entries()) {
    // The workers do not run, so the gateway must not wait for them.
    const none = { READY_URLS: '', WORKER_URLS: '', PUBLIC_URL: environment.publicUrl }
    const env = { ...none, PORT: String(port), LEDGER_URL: ledgerUrls.join(',') }
    await startOne('gateway', { place, env })
  }
  const healthUrls = [...ledgerUrls, ...gatewayUrls].map((url) => `${url}/healthz`)
  await waitForAll(healthUrls)
  return { ledgerUrls, gatewayUrls, healthUrls, checkpointFolders }
}

async function chooseFreePorts(): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < INSTANCES) ports.push(await findFreePort())
  return ports
}

async function waitForAll(urls: readonly string[]): Promise<void> {
  const { signal } = new AbortController()
  for (const url of urls) {
    await waitForHealth({ name: url, url, timeoutMs: HEALTH_MS_MAX, signal })
  }
}

/** Adds an administrator and an approved investor, and logs the administrator in. */
async function addPeople({
  ledger,
  database,
  gatewayUrls,
}: Pick<StartedParts, 'gatewayUrls'> & {
  ledger: LedgerClient
  database: Database
}): Promise<Pick<Services, 'gateways' | 'investorId'>> {
  const databaseUrl = database.urlFor('cairn_gateway')
  const admins = await createAdmin(databaseUrl, ADMIN)
  const email = 'investor@cairn.example'
  const investors = await importUsers(databaseUrl, [
    {
      email,
      password: ADMIN.password,
      name: 'Ivy Morgan',
      country: 'US',
      phone: '+1 555 0100',
      firstAddress: '1 Example Street',
      gender: 'Female',
      referrer: null,
      bank: null,
      paymentProof: null,
      createdAt: new Date().toISOString(),
    },
  ])
  const adminId = admins.get(ADMIN.email)?.id
  const investorId = investors.get(email)?.id
  if (adminId === undefined || investorId === undefined) throw new Error('no person was added')
  const command: Command = {
    type: 'ActivateInvestor',
    data: { investorId, referrerId: null },
    actor: `admin:${adminId}`,
    key: createId(Date.now()),
    requestId: null,
    effectiveAt: null,
  }
  const answer = await ledger.submit(command)
  if (answer.outcome !== 'recorded') throw new Error(`the investor: ${answer.message}`)
  const gateways = await Promise.all(gatewayUrls.map((gateway) => signIn(gateway, ADMIN)))
  return { gateways, investorId }
}
