import type { AddressInfo } from 'node:net'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import {
  createToken,
  findSessionPermissions,
  hashToken,
} from '../src/features/sessions/sessions.ts'
import { createGateway } from '../src/gateway.ts'
import { type Database, openDatabases } from '../src/platform/database/database.ts'
import type { Dependencies } from '../src/platform/dependencies.ts'
import { wrapWithPrivateTexts } from '../src/platform/erasure/private-text.ts'
import { createImageQueue } from '../src/platform/files/image-queue.ts'
import type { ObjectStore } from '../src/platform/files/object-store.ts'
import { createCsrfToken } from '../src/platform/http/csrf.ts'
import type { Route } from '../src/platform/http/registry.ts'
import { drainServer, listen as listenAsEver } from '../src/platform/http/server.ts'
import { createSharedRateLimiter } from '../src/platform/http/shared-rate-limit.ts'
import type { WorkerClient } from '../src/platform/jobs/worker-client.ts'
import { createKeyRing } from '../src/platform/keys/key-ring.ts'
import { createOutboxSeal } from '../src/platform/keys/seal.ts'
import { createLedgerHomes, type LedgerHomes } from '../src/platform/ledger-client/ledger-homes.ts'
import { createSiteClient } from '../src/platform/ledger-client/site-client.ts'
import { createSiteLedgers } from '../src/platform/ledger-client/site-ledgers.ts'
import { createLive } from '../src/platform/live/live.ts'
import { createSettings } from '../src/platform/settings-store/site-settings.ts'
import { createAllRoutes } from '../src/routes.ts'
import { addUser, type UserStore } from './add-user.ts'
import { watchFailures } from './documented-only.ts'
import { startLedgerProcess } from './ledger-process.ts'
import { type RecordingLedger, recordLedger } from './recording-ledger.ts'
import { recordSeenFailures } from './seen-failures.ts'

export { addUser, PASSWORD, type UserStore } from './add-user.ts'

export type Who = 'anonymous' | 'pending' | 'investor' | 'admin'

export interface TestGateway {
  url: string
  /** The connection string of the superuser. */
  databaseUrl: string
  /** The connection string of the gateway worker. */
  workerUrl: string
  db: Database
  ledger: RecordingLedger
  /** Returns a client for the ledger with this number, in the ledger service of this gateway. */
  otherLedger(ledger: number): LedgerClient
  deps: Dependencies
  routes: readonly Route[]
  /** Moves the clock of the gateway forward. */
  moveClock(ms: number): void
  /**
   * Moves the clocks of the gateway and the ledger forward. The move does not end open sessions.
   */
  moveAllClocks(ms: number): Promise<void>
  /** Stops the ledger. Calls to the ledger fail after that. */
  stopLedger(): Promise<void>
  stop(): Promise<void>
}

export interface Visitor {
  userId: string
  cookie: string
  csrfToken: string
}

const NO_FURTHER_LEDGERS: LedgerHomes = {
  listFurther: async () => [],
  findFurther: async () => new Map(),
}
const SECRET = 'a session secret for tests'
interface Options {
  alterRoute?: (route: Route) => Route
  webDist?: string
  objects?: ObjectStore
  log?: Logger
  alterDeps?: (deps: Dependencies) => Dependencies
  trustProxyHops?: number
  inProgressMax?: number
  ledgerEnvironment?: Readonly<Record<string, string>>
  /** The check of dual control that is disabled in the ledger. */
  ledgerHole?: string | null
  siteLedger?: number
  /** True if the site can get ledgers after the first one; see `startGatewayOfTwoLedgers`. */
  hasSeveralLedgers?: boolean
  workers?: readonly WorkerClient[]
  listen?: typeof listenAsEver
  /** False if the test causes failures that are not documented. */
  isDocumentedOnly?: boolean
}

/** Starts the gateway, and the ledger service in a separate process, on one database. */
export async function startTestGateway(options: Options = {}): Promise<TestGateway> {
  const database = await createTestDatabase()
  const { ledgerEnvironment: environment = {}, ledgerHole: hole = null } = options
  const process = await startLedgerProcess(database, { environment, hole })
  const { createClient, stop, setClockAhead } = process
  const ledger = recordLedger(createClient(options.siteLedger ?? 1))
  const parts = { ledger, otherLedger: createClient, stopLedger: stop, setClockAhead }
  return startGateway(database, { ...options, ...parts })
}

async function startGateway(
  database: TestDatabase,
  options: Options & {
    ledger: RecordingLedger
    otherLedger: TestGateway['otherLedger']
    stopLedger: () => Promise<void>
    setClockAhead: (ms: number) => Promise<void>
  },
): Promise<TestGateway> {
  const { ledger, alterRoute = (route) => route, webDist = null } = options
  const { alterDeps = (made) => made, trustProxyHops = 0, listen = listenAsEver } = options
  const log = options.log ?? pino({ level: 'silent' })
  const { db, nested } = openDatabases({
    url: database.urlFor('cairn_gateway'),
    applicationName: 'test',
    onError: () => {},
  })
  let aheadMs = 0
  const origin = { isDemo: true, publicUrl: 'http://gateway.test' }
  const clock = { now: () => Date.now() + aheadMs }
  const first = options.siteLedger ?? 1
  const connect = (number: number) =>
    wrapWithPrivateTexts(number === first ? ledger : options.otherLedger(number), nested)
  const homes = createLedgerHomes(nested, clock)
  const ledgers = createSiteLedgers({
    first,
    connect,
    homes: options.hasSeveralLedgers === true ? homes : NO_FURTHER_LEDGERS,
  })
  const live = createLive({
    clock,
    ledgers,
    log,
    findPermissions: (sessionHash) =>
      findSessionPermissions(db, { sessionHash, nowMs: clock.now() }),
  })
  const deps: Dependencies = alterDeps({
    db,
    ledger: options.hasSeveralLedgers === true ? createSiteClient(ledgers) : connect(first),
    ledgers,
    connectLedger: options.otherLedger,
    live,
    objects: options.objects ?? null,
    images: createImageQueue(),
    settings: createSettings(nested, origin),
    clock,
    seal: createOutboxSeal(createKeyRing({ value: SECRET })),
    sessionKeys: createKeyRing({ value: SECRET }),
    factorKeys: createKeyRing({ value: SECRET }),
    ...origin,
    mailUiUrl: null,
    backupDir: null,
    workers: options.workers ?? [],
    rateLimitScale: 100,
    sharedRates: createSharedRateLimiter({ db, scale: 100 }),
  })
  const routes = createAllRoutes(deps, log).map(alterRoute)
  const watch = watchFailures()
  const gateway = createGateway(
    deps,
    {
      webDist,
      trustProxyHops,
      readyUrls: [],
      routes,
      metricsTokens: ['a metrics token for tests'],
      onFailure: watch.onFailure,
      ...(options.inProgressMax === undefined ? {} : { inProgressMax: options.inProgressMax }),
    },
    log,
  )
  const server = await listen(gateway, { host: '127.0.0.1', port: 0 })
  // The cast is safe because a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: database.url,
    workerUrl: database.urlFor('cairn_gateway_worker'),
    db,
    ledger,
    deps,
    routes,
    moveClock: (ms) => {
      aheadMs += ms
    },
    moveAllClocks: async (ms) => {
      aheadMs += ms
      await options.setClockAhead(aheadMs)
      const moved = sql<Date>`last_seen_at + ${ms} * interval '1 millisecond'`
      const ends = sql<Date>`expires_at + ${ms} * interval '1 millisecond'`
      await db
        .updateTable('identity.session')
        .set({ last_seen_at: moved, expires_at: ends })
        .execute()
    },
    otherLedger: options.otherLedger,
    stopLedger: options.stopLedger,
    stop: async () => {
      await live.stop()
      await drainServer(server)
      await options.stopLedger()
      await Promise.all([db.destroy(), nested.destroy()])
      await database.drop()
      recordSeenFailures(watch.seen, options.alterRoute === undefined ? routes : [])
      if (options.isDocumentedOnly ?? true) watch.requireDocumented()
    },
  }
}

/** Opens a session for the user without a login. */
export async function openVisit(
  gateway: Pick<UserStore, 'db' | 'deps'>,
  userId: string,
): Promise<Visitor> {
  const token = createToken()
  const tokenHash = hashToken(token)
  const nowMs = gateway.deps.clock.now()
  await gateway.db
    .insertInto('identity.session')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      idle_seconds: 900,
      created_at: new Date(nowMs),
      last_seen_at: new Date(nowMs),
      expires_at: new Date(nowMs + 8 * 3_600_000),
      ip: '127.0.0.1',
      user_agent: 'test',
    })
    .execute()
  const csrfToken = createCsrfToken(gateway.deps.sessionKeys, tokenHash.toString('hex'))
  return { userId, cookie: `sid=${token}; XSRF-TOKEN=${csrfToken}`, csrfToken }
}

export async function visitAs(gateway: TestGateway, who: Who): Promise<Visitor | null> {
  if (who === 'anonymous') return null
  const role = who === 'admin' ? 'admin' : 'user'
  const status = who === 'pending' ? 'pending' : 'active'
  return openVisit(gateway, await addUser(gateway, { role, status }))
}

export interface Reply {
  status: number
  headers: Headers
  body: {
    status?: string
    code?: string
    message?: string
    data?: Record<string, never>
    errors?: Record<string, string>[]
  }
}

/**
 * Sends a request with the cookies and the CSRF token of the visitor. Each entry of `headers`
 * replaces the default header of the same name.
 */
export async function send(
  gateway: Pick<TestGateway, 'url'>,
  visitor: Pick<Visitor, 'cookie' | 'csrfToken'> | null,
  request: {
    method: string
    path: string
    body?: unknown
    form?: FormData
    headers?: Record<string, string>
  },
): Promise<Reply> {
  const { method, path, body, form } = request
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      ...(visitor === null ? {} : { cookie: visitor.cookie, 'x-xsrf-token': visitor.csrfToken }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  })
  const type = response.headers.get('content-type') ?? ''
  const isJson = type.startsWith('application/json')
  // The body of an event stream is not read, because an event stream does not end.
  const isStream = type.includes('event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : {},
  }
}
