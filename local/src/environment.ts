import { join, resolve } from 'node:path'
import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { readTracingConfig } from '@cairn/service-kit/tracing/tracing-config'

export const ROOT = resolve(import.meta.dirname, '..', '..')
/** A PATH that starts with the programs of packages, including the pinned Node. */
export const PROGRAM_PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`

/**
 * All variables that `npm start` reads, with default and description. README.md also lists them.
 */
export const VARIABLES = {
  HOST: ['127.0.0.1', 'address on which the site listens; the demo passwords are public'],
  PORT: ['8080', 'port of the site'],
  PUBLIC_URL: ['', 'public URL of the site; passkeys need a host name in it, not an IP address'],
  TRUST_PROXY_HOPS: ['0', 'number of reverse proxies in front of the site'],
  DATA_DIR: ['.data', 'database, secrets, logs and caught mails'],
  BACKUP_DIR: ['', 'folder for backups and the archived write-ahead log of the local database'],
  DRILL_DAYS: ['7', 'days between two drills that npm start runs with BACKUP_DIR; 0 = none'],
  DATABASE_URL: ['', 'use this PostgreSQL (15 to 18, an account that may create roles)'],
  PGBACKREST_STANZA: ['', 'stanza of pgBackRest that backs up the server of DATABASE_URL'],
  SMTP_URL: ['', 'send mail through this server instead of catching it'],
  MAIL_PORT: ['1025', 'SMTP port of the mail catcher'],
  MAIL_UI_PORT: ['1080', 'port of the mail catcher’s page'],
  DEMO: ['1', '1 = demo data on the first start; 0 = an empty platform'],
  LEDGERS: ['1', 'number of ledgers in the ledger service'],
  LEDGER_DURABILITY: [
    'local',
    'answered commands survive: local = a crash; standby = also the loss of the database server',
  ],
  LEDGER: ['1', 'number of the ledger to which the users of this site belong'],
  S3_URL: [
    '',
    'store files in this S3-compatible bucket (https://host/bucket), not in the database',
  ],
  S3_REGION: ['us-east-1', 'region of the bucket'],
  S3_ACCESS_KEY_ID: ['', 'access key id for the bucket'],
  S3_SECRET_ACCESS_KEY: ['', 'secret access key for the bucket'],
  RATE_LIMIT_SCALE: ['', 'multiplies every rate limit; 20 with the demo, else 1'],
  LOG_LEVEL: ['info', 'pino level of the services’ logs'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['', 'send traces to this OpenTelemetry collector (OTLP/HTTP)'],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'headers for the collector, as name=value,name=value'],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'share of the traces to send, from 0 to 1'],
  NODE_ENV: ['production', 'test allows CAIRN_CLOCK_FILE'],
  CAIRN_CLOCK_FILE: ['', 'file that moves the clock, with NODE_ENV=test only'],
} as const

const TRACING_NAMES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
] as const
const S3_NAMES = ['S3_URL', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

export type VariableName = keyof typeof VARIABLES

export interface Environment {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly trustProxyHops: number
  readonly dataDir: string
  readonly backupDir: string | null
  /** The days between two drills that the platform runs by itself; 0 for none. */
  readonly drillDays: number
  readonly databaseUrl: string | null
  /** The stanza of pgBackRest that backs up the server of `databaseUrl`. */
  readonly stanza: string | null
  readonly smtpUrl: string | null
  readonly mailPort: number
  readonly mailUiPort: number
  readonly demo: boolean
  readonly ledgers: number
  readonly ledger: number
  readonly ledgerDurability: string
  /** The S3 variables of the gateway and its worker. Empty if S3_URL is not set. */
  readonly objectStore: Readonly<Record<string, string>>
  readonly rateLimitScale: string
  readonly logLevel: string
  /** The variables of traces for each process. Empty if OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
  readonly tracing: Readonly<Record<string, string>>
  readonly nodeEnv: string
  readonly clockFile: string | null
}

export function readEnvironment(environment: NodeJS.ProcessEnv): Environment {
  const given = readSecretFiles(environment)
  const readText = (name: VariableName) => {
    const value = given[name]
    return value === undefined || value === '' ? VARIABLES[name][0] : value
  }
  const host = readText('HOST')
  const ledgers = parseWholeNumber(readText('LEDGERS'), { name: 'LEDGERS', min: 1, max: 1_000 })
  const port = parseWholeNumber(readText('PORT'), { name: 'PORT', min: 1, max: 65_535 })
  const nodeEnv = readText('NODE_ENV')
  const dataDir = resolve(ROOT, readText('DATA_DIR'))
  const demo = parseWholeNumber(readText('DEMO'), { name: 'DEMO', min: 0, max: 1 }) === 1
  const databaseUrl = parseDatabaseUrl(readText('DATABASE_URL'))
  const stanza = readText('PGBACKREST_STANZA') || null
  if (stanza !== null && databaseUrl === null) {
    throw new Error(
      'PGBACKREST_STANZA is for a server of your own: set DATABASE_URL too, or neither of the two',
    )
  }
  if (readText('CAIRN_CLOCK_FILE') !== '' && nodeEnv !== 'test') {
    throw new Error('CAIRN_CLOCK_FILE moves the clock and is only allowed with NODE_ENV=test')
  }
  return {
    host,
    port,
    publicUrl: parseWebAddress(
      readText('PUBLIC_URL') || `http://${getReachableHost(host)}:${port}`,
    ),
    trustProxyHops: parseWholeNumber(readText('TRUST_PROXY_HOPS'), {
      name: 'TRUST_PROXY_HOPS',
      min: 0,
      max: 9,
    }),
    dataDir,
    backupDir: parseBackupDir(readText('BACKUP_DIR'), dataDir),
    drillDays: parseWholeNumber(readText('DRILL_DAYS'), { name: 'DRILL_DAYS', min: 0, max: 365 }),
    databaseUrl,
    stanza,
    smtpUrl: readText('SMTP_URL') || null,
    mailPort: parseWholeNumber(readText('MAIL_PORT'), { name: 'MAIL_PORT', min: 1, max: 65_535 }),
    mailUiPort: parseWholeNumber(readText('MAIL_UI_PORT'), {
      name: 'MAIL_UI_PORT',
      min: 1,
      max: 65_535,
    }),
    demo,
    ledgers,
    ledger: parseWholeNumber(readText('LEDGER'), { name: 'LEDGER', min: 1, max: ledgers }),
    ledgerDurability: readText('LEDGER_DURABILITY'),
    objectStore:
      readText('S3_URL') === ''
        ? {}
        : Object.fromEntries(S3_NAMES.map((name) => [name, readText(name)])),
    rateLimitScale: parsePositiveNumber(readText('RATE_LIMIT_SCALE') || (demo ? '20' : '1')),
    logLevel: readText('LOG_LEVEL'),
    tracing:
      readTracingConfig(given) === null
        ? {}
        : Object.fromEntries(TRACING_NAMES.map((name) => [name, readText(name)])),
    nodeEnv,
    clockFile: readText('CAIRN_CLOCK_FILE') || null,
  }
}

// Returns a host that browsers can open. They cannot open an "all interfaces" address, and passkeys
// need a host name.
function getReachableHost(host: string): string {
  const isLoopback = /^127(\.\d+){3}$/.test(host) || host === '::1'
  if (isLoopback || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function parseWholeNumber(text: string, rule: { name: string; min: number; max: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= rule.min && value <= rule.max) return value
  throw new Error(`${rule.name} must be a number from ${rule.min} to ${rule.max}, not "${text}"`)
}

function parsePositiveNumber(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return text
  throw new Error(`RATE_LIMIT_SCALE must be a number above 0, not "${text}"`)
}

function parseWebAddress(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/{1,9}$/, '')
  throw new Error(`PUBLIC_URL must be an http or https address, not "${text}"`)
}

/**
 * The server passes this path to shell commands, so only characters without a meaning in a shell
 * are allowed.
 */
function parseBackupDir(text: string, dataDir: string): string | null {
  if (text === '') return null
  const path = resolve(ROOT, text)
  if (!/^[\w ./-]+$/.test(path)) {
    throw new Error(
      `BACKUP_DIR must have only letters, digits, spaces and ". / - _" in its path, not "${path}"`,
    )
  }
  // The backups must be outside the data directory, so that a deletion of the data directory does
  // not delete the backups.
  if (!`${path}/`.startsWith(`${dataDir}/`)) return path
  throw new Error(`BACKUP_DIR must be outside of DATA_DIR (${dataDir}), not "${path}"`)
}

function parseDatabaseUrl(text: string): string | null {
  if (text === '') return null
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) {
    return requireDatabaseTls('DATABASE_URL', text)
  }
  throw new Error('DATABASE_URL must have the form postgres://user:password@host:5432/database')
}
