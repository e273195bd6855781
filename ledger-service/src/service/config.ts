import { Durability } from '@cairn/ledger-contracts'
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
import { CallerTokens } from './callers.ts'
import { LEDGERS_MAX } from './directory/place.ts'
import { readPlaces } from './directory/read-places.ts'

const Port = z.coerce.number().int().min(1).max(65_535)
const common = {
  NODE_ENV: z.string().default('production'),
  LOG_LEVEL: z.string().default('info'),
  CAIRN_CLOCK_FILE: z.string().optional(),
  /** The credential of this process for calls to the ledger. */
  SERVICE_TOKEN: z.string().min(32),
  /**
   * The credentials of the processes that may call this process, as JSON. By default, no process
   * may call it.
   */
  CALLER_TOKENS: z
    .string()
    .default('{}')
    .transform((text, context) => parseJson(text, context))
    .pipe(CallerTokens),
  /**
   * The number of ledgers of this installation. The ledger service reads it if there is no
   * LEDGER_DIRECTORY.
   */
  LEDGERS: z.coerce.number().int().min(1).max(LEDGERS_MAX).default(1),
  /**
   * The certificate and the key of this server. Both are required if processes on other machines
   * call this server.
   */
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  /**
   * Certificate authorities that this process trusts in addition to the public certificate
   * authorities.
   */
  TLS_CA_FILE: z.string().optional(),
  /** The collector of traces. If it is not set, this process makes no spans. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
}
const ServeEnvironment = z.object({
  ...common,
  /** The database of all ledgers. */
  LEDGER_DATABASE_URL: z.url().optional(),
  /** A JSON file that names several databases and the ledgers of each, see `readDirectoryFile`. */
  LEDGER_DIRECTORY: z.string().optional(),
  /**
   * A server that copies the database, for queries that do not decide anything. By default, the
   * server of LEDGER_DATABASE_URL answers all queries.
   */
  LEDGER_READ_URL: z.url().optional(),
  LEDGER_HOST: z.string().default('127.0.0.1'),
  LEDGER_PORT: Port,
  /**
   * The URL of this instance for other instances. By default, the URL is built from host and port.
   */
  LEDGER_ADDRESS: z.url().optional(),
  /**
   * The URLs of the other instances, separated by commas. They are needed only if the hosts differ
   * in more than the first label, or in more than the last part of an IP address.
   */
  LEDGER_PEERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((url) => url !== '')),
  /**
   * A PKCS #8 Ed25519 key in PEM format. Without this variable, the key is read from the file
   * LEDGER_SIGNING_KEY_FILE, which the first start creates.
   */
  LEDGER_SIGNING_KEY: z.string().optional(),
  LEDGER_SIGNING_KEY_FILE: z.string().default('ledger-signing-key.pem'),
  /** The name of the log in checkpoints and receipts. `/<ledger number>` is appended to it. */
  LEDGER_ORIGIN: z
    .string()
    .regex(/^[^\s+]+$/)
    .default('cairn.localhost/ledger'),
  /** A directory outside the database for all signed checkpoints. */
  LEDGER_CHECKPOINT_DIR: z.string(),
  /**
   * The required durability of an answered command. `local`: the command survives a crash of the
   * primary server. `standby`: the command also survives the loss of that server.
   */
  LEDGER_DURABILITY: Durability.default('local'),
  /** A file that names the crash point of this process. Allowed only with NODE_ENV=test. */
  CAIRN_CRASH_FILE: z.string().optional(),
})
const WorkEnvironment = z.object({
  ...common,
  LEDGER_WORKER_DATABASE_URL: z.url(),
  LEDGER_URL: z.url(),
  WORKER_HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: Port,
})

/** The names of all variables that each program reads. */
export const SERVE_VARIABLES: readonly string[] = Object.keys(ServeEnvironment.shape)
export const WORK_VARIABLES: readonly string[] = Object.keys(WorkEnvironment.shape)

/** Reads and checks the environment. Throws an Error that names missing variables. */
export function readServeConfig(environment: NodeJS.ProcessEnv) {
  const env = parseEnvironment(ServeEnvironment, environment)
  const tls = readServerTls(env)
  requireListenerTls('LEDGER_HOST', env.LEDGER_HOST, tls)
  const scheme = tls === null ? 'http' : 'https'
  const address = env.LEDGER_ADDRESS ?? `${scheme}://${env.LEDGER_HOST}:${env.LEDGER_PORT}`
  requireHttps('LEDGER_ADDRESS', [address])
  const peers = requireHttps('LEDGER_PEERS', env.LEDGER_PEERS)
  return {
    places: readPlaces(env),
    directoryFile: env.LEDGER_DIRECTORY ?? null,
    host: env.LEDGER_HOST,
    port: env.LEDGER_PORT,
    tls,
    authorities: readAuthorities(env.TLS_CA_FILE),
    address,
    peers,
    token: env.SERVICE_TOKEN,
    tokens: {
      ...env.CALLER_TOKENS,
      ledger: [env.SERVICE_TOKEN, ...(env.CALLER_TOKENS.ledger ?? [])],
    },
    signingKeyPem: env.LEDGER_SIGNING_KEY ?? null,
    signingKeyFile: env.LEDGER_SIGNING_KEY_FILE,
    origin: env.LEDGER_ORIGIN,
    checkpointDir: env.LEDGER_CHECKPOINT_DIR,
    durability: env.LEDGER_DURABILITY,
    crashFile: readCrashFile(env),
    logLevel: env.LOG_LEVEL,
    tracing: readTracingConfig(env),
    clock: chooseClock(env),
  }
}

export type ServeConfig = ReturnType<typeof readServeConfig>

export function readWorkConfig(environment: NodeJS.ProcessEnv) {
  const env = parseEnvironment(WorkEnvironment, environment)
  const tls = readServerTls(env)
  requireListenerTls('WORKER_HOST', env.WORKER_HOST, tls)
  requireHttps('LEDGER_URL', [env.LEDGER_URL])
  return {
    databaseUrl: requireDatabaseTls('LEDGER_WORKER_DATABASE_URL', env.LEDGER_WORKER_DATABASE_URL),
    ledgerUrl: env.LEDGER_URL,
    ledgers: env.LEDGERS,
    host: env.WORKER_HOST,
    port: env.WORKER_PORT,
    tls,
    authorities: readAuthorities(env.TLS_CA_FILE),
    token: env.SERVICE_TOKEN,
    tokens: env.CALLER_TOKENS,
    logLevel: env.LOG_LEVEL,
    tracing: readTracingConfig(env),
    clock: chooseClock(env),
  }
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('is not JSON')
    return z.NEVER
  }
}

function parseEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const result = schema.safeParse(readSecretFiles(environment))
  if (result.success) return result.data
  throw new Error(`the environment is invalid: ${z.prettifyError(result.error)}`)
}

function readCrashFile(env: { NODE_ENV: string; CAIRN_CRASH_FILE?: string | undefined }) {
  if (env.CAIRN_CRASH_FILE === undefined) return null
  if (env.NODE_ENV === 'test') return env.CAIRN_CRASH_FILE
  throw new Error('CAIRN_CRASH_FILE is only allowed with NODE_ENV=test')
}
