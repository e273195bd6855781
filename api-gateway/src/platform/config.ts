import { chooseClock } from '@cairn/service-kit/clock'
import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import {
  readAuthorities,
  readServerTls,
  requireHttps,
  requireListenerTls,
} from '@cairn/service-kit/service-tls'
import { readTracingConfig } from '@cairn/service-kit/tracing/tracing-config'
import { z } from 'zod'
import type { ObjectStoreOptions } from './files/object-store.ts'
import { IN_PROGRESS_MAX } from './http/load-shedding.ts'
import { createKeyVariables, findKeySource, readKeySource } from './keys/key-variables.ts'
import { findStartProblems } from './public-site.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const secret = z.string().min(16)
const switchValue = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1')

const objectStoreVariables = {
  /** The URL of the bucket. If the URL is not set, files are stored in the database. */
  S3_URL: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
}

const shared = {
  /** The URLs of the ledger's instances, separated by commas. */
  LEDGER_URL: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.url())),
  /** The number of the ledger that this site uses. */
  LEDGER: z.coerce.number().int().min(1).max(1_000).default(1),
  /** The credential with which this process calls the ledger and the workers. */
  SERVICE_TOKEN: secret,
  /**
   * The key that encrypts the codes and links of mails that wait in the database. It must be the
   * same in all processes.
   */
  ...createKeyVariables('OUTBOX_KEY'),
  /**
   * The credentials of the processes that may call this process, as JSON: `{"metrics": ["token"]}`.
   */
  CALLER_TOKENS: z
    .string()
    .default('{}')
    .transform(parseJson)
    .pipe(z.record(z.string(), z.array(secret))),
  /**
   * A file with certificate authorities that this process trusts in addition to the public
   * certificate authorities.
   */
  TLS_CA_FILE: z.string().optional(),
  PUBLIC_URL: z.url(),
  NODE_ENV: z.string().default('production'),
  CAIRN_CLOCK_FILE: z.string().min(1).optional(),
  ...objectStoreVariables,
  /** The collector of traces. If it is not set, this process makes no spans. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const ServeEnvironment = z.object({
  ...shared,
  GATEWAY_DATABASE_URL: z.url(),
  /**
   * The key that signs anti-forgery tokens, device cookies and mailed codes. It must be the same in
   * all gateways.
   */
  ...createKeyVariables('SESSION_SECRET'),
  /**
   * The key that encrypts the secrets of authenticator apps. It must be the same in all gateways.
   */
  ...createKeyVariables('FACTOR_KEY'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  WEB_DIST: z.string().optional(),
  WEB_DIST_LATER: switchValue,
  TRUST_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** The maximum number of requests of the API that this process works on at the same time. */
  REQUESTS_IN_PROGRESS_MAX: z.coerce.number().int().min(1).max(1_000_000).default(IN_PROGRESS_MAX),
  RATE_LIMIT_SCALE: z.coerce.number().positive().max(1_000_000).default(1),
  DEMO: switchValue,
  MAIL_UI_URL: z.string().optional(),
  /** The folder of the backups. Only the outcomes of the last backup and drill are read. */
  BACKUP_DIR: z.string().optional(),
  READY_URLS: z.string().default(''),
  WORKER_URLS: z.string().default(''),
})

const WorkEnvironment = z.object({
  ...shared,
  GATEWAY_WORKER_DATABASE_URL: z.url(),
  SMTP_URL: z.url(),
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: port.default(0),
  /** The certificate and the key of this server, required when other machines reach it. */
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  WORKER_URLS: z.string().default(''),
})

const AdminEnvironment = z.object({
  GATEWAY_DATABASE_URL: z.url(),
  /**
   * This variable is optional, because only some commands need the ledger. Commands that do not
   * need the ledger also work while it is unavailable.
   */
  LEDGER_URL: shared.LEDGER_URL.optional(),
  LEDGER: shared.LEDGER,
  TLS_CA_FILE: shared.TLS_CA_FILE,
  SERVICE_TOKEN: secret.optional(),
  /** Commands that send a mail or replace a key need these variables. */
  ...createKeyVariables('OUTBOX_KEY'),
  ...createKeyVariables('SESSION_SECRET'),
  ...createKeyVariables('FACTOR_KEY'),
  PUBLIC_URL: z.url(),
  DEMO: switchValue,
  ...objectStoreVariables,
})

/** The names of all variables that each program reads. */
export const SERVE_VARIABLES: readonly string[] = Object.keys(ServeEnvironment.shape)
export const WORK_VARIABLES: readonly string[] = Object.keys(WorkEnvironment.shape)
export const ADMIN_VARIABLES: readonly string[] = Object.keys(AdminEnvironment.shape)

export type ServeConfig = ReturnType<typeof readServeConfig>
export type WorkConfig = ReturnType<typeof readWorkConfig>
export type AdminConfig = ReturnType<typeof readAdminConfig>
export type Environment = Record<string, string | undefined>

export function readServeConfig(environment: Environment) {
  const values = parseEnvironment(ServeEnvironment, environment)
  requireSafeStart(values)
  return {
    databaseUrl: requireDatabaseTls('GATEWAY_DATABASE_URL', values.GATEWAY_DATABASE_URL),
    ledgerUrls: requireHttps('LEDGER_URL', values.LEDGER_URL),
    authorities: readAuthorities(values.TLS_CA_FILE),
    ledger: values.LEDGER,
    serviceToken: values.SERVICE_TOKEN,
    keys: {
      session: readKeySource(values, 'SESSION_SECRET'),
      factor: readKeySource(values, 'FACTOR_KEY'),
      outbox: readKeySource(values, 'OUTBOX_KEY'),
    },
    metricsTokens: values.CALLER_TOKENS.metrics ?? [],
    host: values.HOST,
    port: values.PORT,
    publicUrl: removeTrailingSlash(values.PUBLIC_URL),
    webDist: toNullIfEmpty(values.WEB_DIST),
    isWebBuiltLater: values.WEB_DIST_LATER,
    trustProxyHops: values.TRUST_PROXY_HOPS,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    inProgressMax: values.REQUESTS_IN_PROGRESS_MAX,
    isDemo: values.DEMO,
    mailUiUrl: toNullIfEmpty(values.MAIL_UI_URL),
    backupDir: toNullIfEmpty(values.BACKUP_DIR),
    objectStore: readObjectStore(values),
    readyUrls: requireHttps('READY_URLS', splitUrls(values.READY_URLS)),
    workerUrls: requireHttps('WORKER_URLS', splitUrls(values.WORKER_URLS)),
    logLevel: values.LOG_LEVEL,
    tracing: readTracingConfig(values),
    clock: chooseClock(values),
  }
}

export function readWorkConfig(environment: Environment) {
  const values = parseEnvironment(WorkEnvironment, environment)
  const tls = readServerTls(values)
  requireListenerTls('WORKER_HOST', values.WORKER_HOST, tls)
  const { GATEWAY_WORKER_DATABASE_URL: databaseUrl } = values
  return {
    databaseUrl: requireDatabaseTls('GATEWAY_WORKER_DATABASE_URL', databaseUrl),
    ledgerUrls: requireHttps('LEDGER_URL', values.LEDGER_URL),
    authorities: readAuthorities(values.TLS_CA_FILE),
    tls,
    ledger: values.LEDGER,
    serviceToken: values.SERVICE_TOKEN,
    outboxKey: readKeySource(values, 'OUTBOX_KEY'),
    callers: {
      metrics: values.CALLER_TOKENS.metrics ?? [],
      jobs: [
        ...(values.CALLER_TOKENS.gateway ?? []),
        ...(values.CALLER_TOKENS['gateway-worker'] ?? []),
      ],
    },
    smtpUrl: values.SMTP_URL,
    objectStore: readObjectStore(values),
    publicUrl: removeTrailingSlash(values.PUBLIC_URL),
    host: values.WORKER_HOST,
    port: values.WORKER_PORT,
    workerUrls: requireHttps('WORKER_URLS', splitUrls(values.WORKER_URLS)),
    logLevel: values.LOG_LEVEL,
    tracing: readTracingConfig(values),
    clock: chooseClock(values),
  }
}

export function readAdminConfig(environment: Environment) {
  const values = parseEnvironment(AdminEnvironment, environment)
  return {
    databaseUrl: requireDatabaseTls('GATEWAY_DATABASE_URL', values.GATEWAY_DATABASE_URL),
    ledgerUrls: requireHttps('LEDGER_URL', values.LEDGER_URL ?? []),
    authorities: readAuthorities(values.TLS_CA_FILE),
    ledger: values.LEDGER,
    serviceToken: values.SERVICE_TOKEN ?? null,
    keys: {
      session: findKeySource(values, 'SESSION_SECRET'),
      factor: findKeySource(values, 'FACTOR_KEY'),
      outbox: findKeySource(values, 'OUTBOX_KEY'),
    },
    publicUrl: removeTrailingSlash(values.PUBLIC_URL),
    isDemo: values.DEMO,
    objectStore: readObjectStore(values),
  }
}

/**
 * Throws if a setting is unsafe on a public address. The message has one line for each such
 * setting.
 */
function requireSafeStart(values: z.output<typeof ServeEnvironment>): void {
  const { PUBLIC_URL: publicUrl, DEMO: isDemo } = values
  const { SERVICE_TOKEN, GATEWAY_DATABASE_URL } = values
  const { SESSION_SECRET = '', FACTOR_KEY = '', OUTBOX_KEY = '' } = values
  const keys = { SESSION_SECRET, FACTOR_KEY, OUTBOX_KEY }
  const secrets = { ...keys, SERVICE_TOKEN, GATEWAY_DATABASE_URL }
  const problems = findStartProblems({ publicUrl, isDemo, secrets })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('is not JSON')
    return z.NEVER
  }
}

function parseEnvironment<Schema extends z.ZodType>(schema: Schema, environment: Environment) {
  const result = schema.safeParse(readSecretFiles(environment))
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The environment is not complete:\n  ${lines.join('\n  ')}`)
}

function readObjectStore(values: {
  S3_URL?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID: string
  S3_SECRET_ACCESS_KEY: string
}): ObjectStoreOptions | null {
  const url = toNullIfEmpty(values.S3_URL)
  if (url === null) return null
  const accessKeyId = values.S3_ACCESS_KEY_ID
  const secretAccessKey = values.S3_SECRET_ACCESS_KEY
  return { url: removeTrailingSlash(url), region: values.S3_REGION, accessKeyId, secretAccessKey }
}

function splitUrls(text: string): readonly string[] {
  return text.split(',').filter((url) => url !== '')
}

function toNullIfEmpty(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}

function removeTrailingSlash(url: string): string {
  return url.replace(/\/{1,9}$/, '')
}
