import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireComplete } from './backup/incomplete.ts'
import { type CopyKeeper, startCopying } from './backup/keep-copies.ts'
import { type DrillSchedule, startWeeklyDrill } from './backup/weekly-drill.ts'
import { type Database, migrateDatabase, startDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { findFreePort, isPortFree, reservePort } from './free-port.ts'
import { waitForHealth } from './health.ts'
import { requireNotExported } from './move/exported-mark.ts'
import { type Part, startPart, stopGroup } from './part.ts'
import {
  formatLedgerUrl,
  formatMailPageUrl,
  getGatewayAddress,
  listPartSpecs,
  type PartName,
  type PartSpec,
  type Ports,
} from './parts.ts'
import { claimDataDir, type RunningNotes } from './running.ts'
import { writeScrapeTargets } from './scrape-targets.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { ensureWeb, getWebFolder } from './web-build.ts'

const HEALTH_TIMEOUT_MS = 60_000
// The platform must end within ten seconds after Ctrl-C. The sum of the three time limits below
// must therefore be less than ten seconds.
const UNWIND_MS = 3_000
const STOP_MS = { outer: 4_000, ledger: 2_500 }

export interface Platform {
  readonly url: string
  readonly mailPageUrl: string | null
  readonly ledgerUrl: string
  readonly secrets: Secrets
  readonly database: Database
  readonly getPid: (part: PartName) => number | undefined
  /** Rejects when a part has ended too often and is not restarted any more. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

interface Start {
  readonly environment: Environment
  readonly log: (line: string) => void
  readonly signal: AbortSignal
  /**
   * Runs after the ledger and the gateway have started and before the workers start. The workers
   * therefore act only after all past events are recorded.
   */
  readonly seed?: (site: Site) => Promise<void>
}

/** The parts that are available when ledger and gateway have started. */
export interface Site {
  readonly gatewayUrl: string
  readonly ledgerUrl: string
  readonly secrets: Secrets
  readonly database: Database
}

interface Running {
  readonly notes: RunningNotes
  readonly parts: Map<PartName, Part>
  readonly children: Set<ChildProcess>
  database: Database | null
  copies: CopyKeeper | null
  drills: DrillSchedule | null
}

/** Starts all parts of Cairn in order and waits until they are healthy. `stop` ends them. */
export async function startPlatform(start: Start): Promise<Platform> {
  requireComplete(start.environment.dataDir)
  requireNotExported(start.environment.dataDir)
  await mkdir(join(start.environment.dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const notes = await claimDataDir(start.environment.dataDir, start.log)
  const running: Running = {
    notes,
    parts: new Map(),
    children: new Set(),
    database: null,
    copies: null,
    drills: null,
  }
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  // If the platform is stopped during its start, this promise ends the start at once and does not
  // wait for the current step.
  const aborted = new Promise<never>((_, reject) => {
    start.signal.addEventListener('abort', () => reject(start.signal.reason), { once: true })
  })
  aborted.catch(() => {})
  const starting = startAllParts({ ...start, running, failure })
  try {
    return await Promise.race([starting, failure.promise, aborted])
  } catch (error) {
    for (const child of running.children) void stopGroup(child, STOP_MS.outer)
    // A database server that is being started can be stopped only after its step has ended.
    await Promise.race([starting.catch(() => {}), sleep(UNWIND_MS, undefined, { ref: false })])
    await stopAllParts(running)
    throw error
  }
}

async function startAllParts(
  start: Start & { running: Running; failure: PromiseWithResolvers<never> },
): Promise<Platform> {
  const { environment, log, running, failure, signal } = start
  await assertPortsFree(environment)
  const webDist = await getWebFolder()
  const built = ensureWeb({ log, onChild: (child) => running.children.add(child) })
  built.catch(() => {})
  const secrets = await readSecrets(environment.dataDir)
  const ports = await choosePorts()
  const database = await startAndRecordDatabase({ ...start, secrets, ports })
  await runWithTiming('migrations', log, () => migrateDatabase(database, secrets, log))
  const { backupDir, dataDir, databaseUrl, stanza } = environment
  // Backups of a server of one's own are kept by pgBackRest, if it is configured.
  const hasBackups = databaseUrl === null || stanza !== null
  if (backupDir !== null && hasBackups) {
    running.copies = startCopying({ ownerUrl: database.adminUrl, dataDir, backupDir, log })
  }
  signal.throwIfAborted()

  await startParts({ ...start, secrets, database, ports, webDist, built })
  if (backupDir !== null && hasBackups && environment.drillDays > 0) {
    running.drills = startWeeklyDrill({ environment: { ...environment, backupDir }, log })
  }
  return {
    url: environment.publicUrl,
    mailPageUrl: formatMailPageUrl(environment),
    ledgerUrl: formatLedgerUrl(ports),
    secrets,
    database,
    getPid: (name) => running.parts.get(name)?.getPid(),
    failed: failure.promise,
    stop: () => stopAllParts(running),
  }
}

async function startAndRecordDatabase(
  start: Start & {
    running: Running
    secrets: Secrets
    ports: Ports
    failure: PromiseWithResolvers<never>
  },
): Promise<Database> {
  const { running, failure } = start
  const database = await runWithTiming('database', start.log, () => startDatabase(start))
  running.database = database
  if (start.signal.aborted) await database.stop()
  if (database.pid !== null) await running.notes.recordProcess('database', database.pid)
  const auditor = database.urlFor('cairn_auditor')
  const gateway = database.urlFor('cairn_gateway')
  const site = start.environment.publicUrl
  const ledger = formatLedgerUrl(start.ports)
  await running.notes.recordAddresses({ auditor, owner: database.adminUrl, gateway, ledger, site })
  void database.ended.then(() =>
    failure.reject(new Error('the database server ended unexpectedly')),
  )
  return database
}

async function startParts(
  start: Start & {
    running: Running
    failure: PromiseWithResolvers<never>
    secrets: Secrets
    database: Database
    ports: Ports
    webDist: string
    built: Promise<unknown>
  },
): Promise<void> {
  const { environment, running, failure, log, signal, ports } = start
  const specs = listPartSpecs(start)
  const startAndWait = (spec: PartSpec) => {
    signal.throwIfAborted()
    const part = startPart({
      ...spec,
      log,
      logFile: join(environment.dataDir, 'logs', `${spec.name}.log`),
      onStarted: (pid) => void running.notes.recordProcess(spec.name, pid).catch(() => {}),
      onGivenUp: failure.reject,
    })
    running.parts.set(spec.name, part)
    const { name, healthUrl: url } = spec
    const health = { name, url, timeoutMs: HEALTH_TIMEOUT_MS, signal }
    return runWithTiming(name, log, () => waitForHealth(health))
  }
  const isWorker = ({ name }: PartSpec) => name.endsWith('-worker')
  // All other parts need the ledger, so the ledger starts first. The other parts then start in
  // parallel.
  for (const spec of specs.filter(({ name }) => name === 'ledger')) await startAndWait(spec)
  const rest = specs.filter(({ name }) => name !== 'ledger')
  await Promise.all(rest.filter((spec) => !isWorker(spec)).map(startAndWait))
  const gatewayUrl = getGatewayAddress(environment)
  await start.seed?.({ ...start, gatewayUrl, ledgerUrl: formatLedgerUrl(ports) })
  // The pages are built while the demo loads, because each of these two tasks uses only one core.
  await start.built
  await Promise.all(rest.filter(isWorker).map(startAndWait))
  const ready = { name: 'the platform', url: `${gatewayUrl}/readyz` }
  await waitForHealth({ ...ready, timeoutMs: HEALTH_TIMEOUT_MS, signal })
  await writeScrapeTargets(environment, specs)
}

async function runWithTiming<T>(
  name: string,
  log: (line: string) => void,
  step: () => Promise<T>,
): Promise<T> {
  const began = Date.now()
  const result = await step()
  log(`${name} ready in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return result
}

async function assertPortsFree(environment: Environment): Promise<void> {
  const wanted = [['PORT', environment.port, environment.host]] as [string, number, string][]
  if (environment.smtpUrl === null) {
    wanted.push(['MAIL_PORT', environment.mailPort, '127.0.0.1'])
    wanted.push(['MAIL_UI_PORT', environment.mailUiPort, '127.0.0.1'])
  }
  for (const [name, port, host] of wanted) {
    reservePort(port)
    if (await isPortFree(port, host)) continue
    throw new Error(
      `port ${port} on ${host} is taken; choose another port, for example ${name}=${port + 1}`,
    )
  }
}

async function choosePorts(): Promise<Ports> {
  const [ledger, ledgerWorker, gatewayWorker] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  return { ledger, ledgerWorker, gatewayWorker }
}

async function stopAllParts(running: Running): Promise<void> {
  const outer = [...running.parts.keys()].filter((name) => name !== 'ledger' && name !== 'mail')
  const stopParts = (names: readonly PartName[], ms: number) =>
    Promise.all(names.map((name) => running.parts.get(name)?.stop(ms)))
  await Promise.all([
    stopParts(outer, STOP_MS.outer),
    running.drills?.stop(STOP_MS.outer),
    ...[...running.children].map((child) => stopGroup(child, STOP_MS.outer)),
  ])
  await stopParts(['ledger', 'mail'], STOP_MS.ledger)
  await running.copies?.stop()
  await running.database?.stop()
  await running.copies?.finish()
  await running.notes.release()
}
