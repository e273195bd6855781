import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Database } from './database.ts'
import type { Environment } from './environment.ts'
import type { CallerName, Secrets } from './secrets.ts'

export interface PartSpec {
  readonly name: PartName
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly healthUrl: string
}

export type PartName = 'mail' | 'ledger' | 'ledger-worker' | 'gateway-worker' | 'gateway'

export interface Ports {
  readonly ledger: number
  readonly ledgerWorker: number
  readonly gatewayWorker: number
}

interface Wiring {
  readonly environment: Environment
  readonly secrets: Secrets
  readonly database: Database
  readonly ports: Ports
  /** The folder of the built pages. It may not exist yet. */
  readonly webDist: string
}

/** Lists the parts with their environment, in the order in which they start. */
export function listPartSpecs(wiring: Wiring): readonly PartSpec[] {
  const mail = createMailSpec(wiring.environment)
  return [
    ...(mail === null ? [] : [mail]),
    ...createLedgerSpecs(wiring),
    ...createGatewaySpecs(wiring),
  ]
}

export function formatMailPageUrl(environment: Environment): string | null {
  if (environment.smtpUrl !== null) return null
  return `http://127.0.0.1:${environment.mailUiPort}`
}

export function formatLedgerUrl(ports: Ports): string {
  return `http://127.0.0.1:${ports.ledger}`
}

/** Returns the address at which this machine reaches the gateway. */
export function getGatewayAddress({ host, port }: Environment): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function createMailSpec(environment: Environment): PartSpec | null {
  const page = formatMailPageUrl(environment)
  if (page === null) return null
  const folder = join(environment.dataDir, 'mail')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const program = createRequire(import.meta.filename).resolve('maildev/bin/maildev')
  const flags = {
    '--ip': '127.0.0.1',
    '--smtp': String(environment.mailPort),
    '--web': String(environment.mailUiPort),
    '--mail-directory': folder,
  }
  return {
    name: 'mail',
    args: [program, ...Object.entries(flags).flat()],
    env: {},
    healthUrl: `${page}/healthz`,
  }
}

function createLedgerSpecs({ environment, secrets, database, ports }: Wiring): readonly PartSpec[] {
  return [
    {
      name: 'ledger',
      args: ['ledger-service/src/serve.ts'],
      env: createLedgerEnv({ environment, secrets, database, port: ports.ledger }),
      healthUrl: `${formatLedgerUrl(ports)}/healthz`,
    },
    {
      name: 'ledger-worker',
      args: ['ledger-service/src/work.ts'],
      env: {
        ...createCommonEnv(environment),
        LEDGERS: String(environment.ledgers),
        SERVICE_TOKEN: secrets.callerTokens['ledger-worker'],
        CALLER_TOKENS: formatTokens(secrets, WORKER_CALLERS),
        LEDGER_WORKER_DATABASE_URL: database.urlFor('cairn_ledger_worker'),
        LEDGER_URL: formatLedgerUrl(ports),
        WORKER_PORT: String(ports.ledgerWorker),
      },
      healthUrl: `http://127.0.0.1:${ports.ledgerWorker}/healthz`,
    },
  ]
}

/**
 * Returns the environment of the ledger service. Some commands of `npm run ledger` also read this
 * environment.
 */
export function createLedgerEnv({
  environment,
  secrets,
  database,
  port,
}: Pick<Wiring, 'environment' | 'secrets'> & {
  database: Pick<Database, 'urlFor'>
  port: number
}): Readonly<Record<string, string>> {
  return {
    ...createCommonEnv(environment),
    LEDGERS: String(environment.ledgers),
    SERVICE_TOKEN: secrets.ledgerToken,
    CALLER_TOKENS: formatTokens(secrets),
    LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
    LEDGER_HOST: '127.0.0.1',
    LEDGER_PORT: String(port),
    LEDGER_SIGNING_KEY_FILE: join(environment.dataDir, 'secrets', 'ledger-signing-key.pem'),
    LEDGER_DURABILITY: environment.ledgerDurability,
    LEDGER_CHECKPOINT_DIR: join(environment.dataDir, 'checkpoints'),
  }
}

function createGatewaySpecs({
  environment,
  secrets,
  database,
  ports,
  webDist,
}: Wiring): readonly PartSpec[] {
  const mailPage = formatMailPageUrl(environment)
  const workerHealth = `http://127.0.0.1:${ports.gatewayWorker}/healthz`
  const workerUrls = [ports.ledgerWorker, ports.gatewayWorker].map(
    (port) => `http://127.0.0.1:${port}`,
  )
  const readyUrls = [
    `http://127.0.0.1:${ports.ledgerWorker}/healthz`,
    workerHealth,
    ...(mailPage === null ? [] : [`${mailPage}/healthz`]),
  ]
  const common = {
    ...createCommonEnv(environment),
    OUTBOX_KEY_FILE: secrets.keyFiles.OUTBOX_KEY_FILE,
    LEDGER_URL: formatLedgerUrl(ports),
    LEDGER: String(environment.ledger),
    PUBLIC_URL: environment.publicUrl,
    ...environment.objectStore,
  }
  return [
    {
      name: 'gateway-worker',
      args: ['api-gateway/src/work.ts'],
      env: {
        ...common,
        SERVICE_TOKEN: secrets.callerTokens['gateway-worker'],
        CALLER_TOKENS: formatTokens(secrets, WORKER_CALLERS),
        GATEWAY_WORKER_DATABASE_URL: database.urlFor('cairn_gateway_worker'),
        SMTP_URL: environment.smtpUrl ?? `smtp://127.0.0.1:${environment.mailPort}`,
        WORKER_PORT: String(ports.gatewayWorker),
        WORKER_URLS: workerUrls.join(','),
      },
      healthUrl: workerHealth,
    },
    {
      name: 'gateway',
      args: ['api-gateway/src/serve.ts'],
      env: {
        ...common,
        SERVICE_TOKEN: secrets.callerTokens.gateway,
        CALLER_TOKENS: formatTokens(secrets, ['metrics']),
        GATEWAY_DATABASE_URL: database.urlFor('cairn_gateway'),
        SESSION_SECRET_FILE: secrets.keyFiles.SESSION_SECRET_FILE,
        FACTOR_KEY_FILE: secrets.keyFiles.FACTOR_KEY_FILE,
        HOST: environment.host,
        PORT: String(environment.port),
        WEB_DIST: webDist,
        // On the first start, the pages are built while the demo data loads. The platform waits
        // until both tasks have ended.
        WEB_DIST_LATER: '1',
        TRUST_PROXY_HOPS: String(environment.trustProxyHops),
        RATE_LIMIT_SCALE: environment.rateLimitScale,
        DEMO: environment.demo ? '1' : '0',
        MAIL_UI_URL: mailPage ?? '',
        BACKUP_DIR: environment.backupDir ?? '',
        READY_URLS: readyUrls.join(','),
        WORKER_URLS: workerUrls.join(','),
      },
      healthUrl: `${getGatewayAddress(environment)}/healthz`,
    },
  ]
}

/** The callers that are allowed to call a worker. */
const WORKER_CALLERS = ['gateway', 'gateway-worker', 'metrics'] as const

function formatTokens({ callerTokens }: Secrets, names?: readonly CallerName[]): string {
  const known = Object.entries(callerTokens).filter(
    // The cast is safe because the keys are the names of callers.
    ([name]) => names === undefined || names.includes(name as CallerName),
  )
  return JSON.stringify(Object.fromEntries(known.map(([name, token]) => [name, [token]])))
}

function createCommonEnv(environment: Environment): Record<string, string> {
  return {
    NODE_ENV: environment.nodeEnv,
    LOG_LEVEL: environment.logLevel,
    ...environment.tracing,
    ...(environment.clockFile === null ? {} : { CAIRN_CLOCK_FILE: environment.clockFile }),
  }
}
