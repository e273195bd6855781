import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@cairn/local/free-port'
import type { TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** A start is not judged, because other programs can keep the machine busy. */
const READY_MS = PATIENCE_MS
export const TOKEN = 'test-token-'.repeat(4)
/** Each caller has its own credential and therefore only its own rights, as in production. */
export const CALLERS = {
  gateway: 'gateway-token-'.repeat(3),
  'gateway-worker': 'gateway-worker-token-'.repeat(2),
  'ledger-worker': 'ledger-worker-token-'.repeat(2),
}
export const CALLER_TOKENS = formatCallerTokens({})
export const SESSION_SECRET = 'a session secret for tests'

/** Formats the credentials of all callers for `CALLER_TOKENS`; `replaced` has those that differ. */
export function formatCallerTokens(replaced: Readonly<Record<string, readonly string[]>>): string {
  const known = Object.entries(CALLERS).map(([name, token]) => [name, [token]])
  return JSON.stringify({ ...Object.fromEntries(known), ...replaced })
}

/** A process of the platform. Its port stays the same across restarts. */
export interface ServiceProcess {
  readonly name: string
  readonly url: string
  /** Starts the program of this checkout, or of the checkout in the folder `root`. */
  start(root?: string): Promise<void>
  /** Replaces environment variables. The next start uses them. */
  setVariables(changed: Readonly<Record<string, string>>): void
  /** Ends the process. Returns the duration in milliseconds and the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ tookMs: number; exitCode: number | null }>
  isRunning(): boolean
  /** Suspends the process with SIGSTOP or resumes it with SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  countOpenFiles(): Promise<number>
  /** Returns the resident memory of the running process in bytes. */
  readMemory(): Promise<number>
  /** Returns the output on standard error. */
  readErrorOutput(): string
}

interface Spec {
  name: string
  args: readonly string[]
  port: number
  scheme?: 'http' | 'https'
  env: Readonly<Record<string, string>>
}

/**
 * Returns the URL of a server. With https, the URL contains a host name, because the certificates
 * contain no IP address.
 */
function createUrl(scheme: 'http' | 'https', port: number): string {
  return scheme === 'http' ? `http://127.0.0.1:${port}` : `https://localhost:${port}`
}

function createProcess({ name, args, port, env, scheme = 'http' }: Spec): ServiceProcess {
  const url = createUrl(scheme, port)
  let child: ChildProcess | null = null
  let variables = env
  let errorOutput = ''
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  return {
    name,
    url,
    isRunning,
    readErrorOutput: () => errorOutput,
    signal: (signal) => void child?.kill(signal),
    countOpenFiles: async () => (await readdir(`/proc/${child?.pid}/fd`)).length,
    readMemory: async () => {
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
    },
    start: async (root = ROOT) => {
      child = spawn(process.execPath, [...args], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...variables },
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        errorOutput += chunk.toString()
      })
      await waitUntilHealthy({ name, url, isRunning, readErrorOutput: () => errorOutput })
    },
    setVariables: (changed) => {
      variables = { ...variables, ...changed }
    },
    end: async (signal) => {
      if (child === null || !isRunning()) return { tookMs: 0, exitCode: child?.exitCode ?? null }
      const began = performance.now()
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
      return { tookMs: performance.now() - began, exitCode: child.exitCode }
    },
  }
}

async function waitUntilHealthy(
  started: Pick<ServiceProcess, 'name' | 'url' | 'isRunning' | 'readErrorOutput'>,
): Promise<void> {
  const deadline = performance.now() + READY_MS
  while (performance.now() < deadline && started.isRunning()) {
    const answer = await fetch(`${started.url}/healthz`).catch(() => null)
    if (answer?.ok) return
    await delay(50)
  }
  const state = started.isRunning() ? 'is not healthy' : 'ended'
  throw new Error(`${started.name} ${state}\n${started.readErrorOutput()}`)
}

export interface Services {
  readonly ledgers: readonly ServiceProcess[]
  readonly gateways: readonly ServiceProcess[]
  readonly workers: readonly ServiceProcess[]
  /** The folder of the signed checkpoints. */
  readonly checkpointDir: string
  /** The page of the mail catcher. */
  readonly mailUrl: string
  readonly token: string
  readonly gatewayToken: string
  /** Ends all processes and removes their files. */
  remove(): Promise<void>
}

/**
 * Environment variables with the paths of a process's certificate, of its private key and of the
 * certificate authority.
 */
export interface TlsVariables {
  readonly TLS_CERT_FILE: string
  readonly TLS_KEY_FILE: string
  readonly TLS_CA_FILE: string
}

export interface ServicesOptions {
  instances: number
  /** With these variables, all parts except the gateway serve https. */
  tls?: TlsVariables
  /** Additional variables of all parts. */
  env?: Readonly<Record<string, string>>
  /** Variables that replace those of the gateways. */
  gatewayEnv?: Readonly<Record<string, string>>
  /** Returns the URL through which the gateways and their workers reach the ledger. */
  connectThrough?: (ledgerUrl: string) => Promise<string>
}

/**
 * Prepares `instances` processes of each part of the platform. The caller starts these processes.
 */
export async function createServices(
  database: Pick<TestDatabase, 'urlFor'>,
  {
    instances,
    tls,
    env: added = {},
    gatewayEnv: replaced = {},
    connectThrough = async (url) => url,
  }: ServicesOptions,
): Promise<Services> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-services-'))
  const numbers = Array.from({ length: instances }, (_, index) => index + 1)
  const chooseFreePorts = async () => Promise.all(numbers.map(() => findFreePort()))
  const [ledgerPorts, gatewayPorts, ledgerWorkerPorts, gatewayWorkerPorts] = [
    ...[
      await chooseFreePorts(),
      await chooseFreePorts(),
      await chooseFreePorts(),
      await chooseFreePorts(),
    ],
  ]
  const [smtpPort, mailPort] = [await findFreePort(), await findFreePort()]
  const scheme = tls === undefined ? 'http' : 'https'
  const getUrl = (port: number) => createUrl(scheme, port)
  const ledgerUrls = (ledgerPorts ?? []).map(getUrl)
  const reachedUrls = await Promise.all(ledgerUrls.map(connectThrough))
  const workerUrls = [...(ledgerWorkerPorts ?? []), ...(gatewayWorkerPorts ?? [])].map(getUrl)
  const createProcesses = (
    name: string,
    portsOf: readonly number[] | undefined,
    make: (port: number) => Spec,
  ) =>
    (portsOf ?? []).map((port, index) =>
      createProcess({ ...make(port), name: `${name} ${index + 1}` }),
    )

  const ledgers = createProcesses('ledger', ledgerPorts, (port) => ({
    name: '',
    port,
    scheme,
    args: ['ledger-service/src/serve.ts'],
    env: {
      ...tls,
      ...added,
      SERVICE_TOKEN: TOKEN,
      CALLER_TOKENS,
      LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
      LEDGER_PORT: String(port),
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: folder,
    },
  }))
  const gatewayEnv = {
    ...tls,
    ...added,
    OUTBOX_KEY: TOKEN,
    CALLER_TOKENS,
    LEDGER_URL: reachedUrls.join(','),
    PUBLIC_URL: 'http://gateway.localhost',
  }
  const gateways = createProcesses('gateway', gatewayPorts, (port) => ({
    name: '',
    port,
    args: ['api-gateway/src/serve.ts'],
    env: {
      ...gatewayEnv,
      SERVICE_TOKEN: CALLERS.gateway,
      GATEWAY_DATABASE_URL: database.urlFor('cairn_gateway'),
      SESSION_SECRET,
      FACTOR_KEY: SESSION_SECRET,
      // Administrators need no second factor in the demo.
      DEMO: '1',
      PORT: String(port),
      WORKER_URLS: workerUrls.join(','),
      READY_URLS: workerUrls.map((url) => `${url}/healthz`).join(','),
      RATE_LIMIT_SCALE: '1000',
      ...replaced,
    },
  }))
  const gatewayWorkers = createProcesses('gateway-worker', gatewayWorkerPorts, (port) => ({
    name: '',
    port,
    scheme,
    args: ['api-gateway/src/work.ts'],
    env: {
      ...gatewayEnv,
      SERVICE_TOKEN: CALLERS['gateway-worker'],
      GATEWAY_WORKER_DATABASE_URL: database.urlFor('cairn_gateway_worker'),
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      WORKER_PORT: String(port),
    },
  }))
  const ledgerWorkers = createProcesses('ledger-worker', ledgerWorkerPorts, (port) => ({
    name: '',
    port,
    scheme,
    args: ['ledger-service/src/work.ts'],
    env: {
      ...tls,
      ...added,
      SERVICE_TOKEN: CALLERS['ledger-worker'],
      CALLER_TOKENS,
      LEDGER_WORKER_DATABASE_URL: database.urlFor('cairn_ledger_worker'),
      LEDGER_URL: ledgerUrls[0] ?? '',
      WORKER_PORT: String(port),
    },
  }))
  const catcher = createProcess({
    name: 'mail',
    port: mailPort,
    env: {},
    args: [
      createRequire(import.meta.filename).resolve('maildev/bin/maildev'),
      '--ip',
      '127.0.0.1',
      '--smtp',
      String(smtpPort),
      '--web',
      String(mailPort),
      '--mail-directory',
      join(folder, 'mail'),
    ],
  })
  await catcher.start()
  const workers = [...ledgerWorkers, ...gatewayWorkers]
  return {
    ledgers,
    gateways,
    workers,
    checkpointDir: folder,
    mailUrl: catcher.url,
    token: TOKEN,
    gatewayToken: CALLERS.gateway,
    remove: async () => {
      for (const one of [...gateways, ...workers, ...ledgers, catcher]) await one.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
