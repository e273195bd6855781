import type { ChildProcess } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ROOT } from '../environment.ts'
import { findFreePort } from '../free-port.ts'
import type { Account } from '../postgres-user.ts'
import { type ClusterNode, type ClusterPasswords, startNode } from './node.ts'
import { startProcess, stopProcess } from './processes.ts'
import type { Programs } from './programs.ts'

const HAPROXY_FILE = join(ROOT, 'ops', 'ha', 'haproxy.cfg')
const NAMES = ['node1', 'node2', 'node3']
const HEALTHY_MS_MAX = 180_000
const START_MS_MAX = 30_000
/**
 * HAProxy distributes connections over the nodes in turn. With more connections than nodes, each
 * node that HAProxy uses gets a connection.
 */
const CONNECTIONS_IN_TURN = 10
const POLL_MS = 200

/** Three nodes with etcd, and HAProxy in front of the primary. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  /** The port of HAProxy. */
  readonly port: number
  /**
   * Returns the node that is the primary, according to the nodes that answer. Returns null if there
   * is no primary.
   */
  findPrimary(): Promise<ClusterNode | null>
  /**
   * Waits until one node is the primary and all other nodes follow it. With synchronous
   * replication, also waits until one of these standbys confirms commits. Throws after three
   * minutes.
   */
  waitUntilHealthy(): Promise<ClusterNode>
  /** Waits until HAProxy sends each connection to the primary. */
  waitForProxy(): Promise<void>
  stop(): Promise<void>
}

/** The answer of Patroni about its cluster. */
interface Members {
  members?: readonly { role: string; state: string; timeline?: number }[]
}

export async function startCluster(start: {
  folder: string
  programs: Programs
  account: Account | null
  passwords: ClusterPasswords
  isSynchronous: boolean
}): Promise<Cluster> {
  const { folder, programs, account, isSynchronous } = start
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (account !== null) await chown(folder, account.uid, account.gid)
  const etcdPort = await findFreePort()
  const processes = [startEtcd({ ...start, port: etcdPort, peerPort: await findFreePort() })]
  const nodes: ClusterNode[] = []
  const port = await findFreePort()
  const cluster = { nodes, port, findPrimary: () => findPrimary(nodes) }
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(processes.map(stopProcess))
  }
  try {
    await waitForEtcd(etcdPort)
    for (const name of NAMES) nodes.push(await startNode({ ...start, name, etcdPort }))
    const healthy = { nodes, isSynchronous: true }
    const first = await waitUntilHealthy(healthy)
    if (!isSynchronous) {
      await first.changeSettings({
        synchronous_mode: false,
        synchronous_mode_strict: false,
        // A standby may become the primary, regardless of how much of the log it lacks.
        maximum_lag_on_failover: 1_073_741_824,
      })
    }
    processes.push(startHaproxy({ folder, programs, account, nodes, port }))
    const url = formatServerUrl({ port, passwords: start.passwords })
    await waitForProxy(url)
    return {
      ...cluster,
      stop,
      waitUntilHealthy: () => waitUntilHealthy({ nodes, isSynchronous }),
      waitForProxy: () => waitForProxy(url),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Waits until the members of etcd have agreed on the version of the etcd cluster. If Patroni
 * started earlier, it would fail.
 */
async function waitForEtcd(port: number): Promise<void> {
  const deadline = performance.now() + START_MS_MAX
  while (performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/version`).catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? ''
    if (/"etcdcluster":"\d/.test(text)) return
    await delay(POLL_MS)
  }
  throw new Error('etcd did not start')
}

/** Returns the URL with which the superuser reaches the primary. */
export function formatServerUrl(place: { port: number; passwords: ClusterPasswords }): string {
  return `postgres://postgres:${place.passwords.superuser}@127.0.0.1:${place.port}/postgres`
}

/**
 * Waits until HAProxy sends each connection to the primary. Before its first health checks end,
 * HAProxy also sends connections to standbys.
 */
async function waitForProxy(url: string): Promise<void> {
  const deadline = performance.now() + START_MS_MAX
  for (let inTurn = 0; inTurn < CONNECTIONS_IN_TURN; ) {
    inTurn = (await reachesPrimary(url)) ? inTurn + 1 : 0
    if (performance.now() > deadline) throw new Error('HAProxy does not reach the primary')
    await delay(POLL_MS)
  }
}

async function reachesPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_MS_MAX })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>(
      'select pg_is_in_recovery() as standby',
    )
    return rows[0]?.standby === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Starts the only member of etcd. The test does not disturb etcd. In production, etcd has three
 * members.
 */
function startEtcd(start: {
  folder: string
  programs: Programs
  account: Account | null
  port: number
  peerPort: number
}): ChildProcess {
  const { folder, programs, account } = start
  const clients = `http://127.0.0.1:${start.port}`
  const peers = `http://127.0.0.1:${start.peerPort}`
  const flags = {
    '--name': 'etcd',
    '--data-dir': join(folder, 'etcd'),
    '--listen-client-urls': clients,
    '--advertise-client-urls': clients,
    '--listen-peer-urls': peers,
    '--initial-advertise-peer-urls': peers,
    '--initial-cluster': `etcd=${peers}`,
    '--log-level': 'warn',
    // See `ops/ha/patroni.yml`.
    '--enable-v2': 'true',
  }
  return startProcess({
    command: [programs.etcd, ...Object.entries(flags).map(([name, value]) => `${name}=${value}`)],
    folder,
    logFile: join(folder, 'etcd.log'),
    account,
  })
}

function startHaproxy(start: {
  folder: string
  programs: Programs
  account: Account | null
  nodes: readonly ClusterNode[]
  port: number
}): ChildProcess {
  const { folder, programs, account, nodes, port } = start
  const addresses = nodes.flatMap(({ clientPorts }, place) => [
    [`HA_NODE${place + 1}_POSTGRES`, `127.0.0.1:${clientPorts.postgres}`],
    [`HA_NODE${place + 1}_PATRONI_PORT`, String(clientPorts.patroni)],
  ])
  return startProcess({
    command: [programs.haproxy, '-db', '-f', HAPROXY_FILE],
    folder,
    logFile: join(folder, 'haproxy.log'),
    account,
    env: { HA_LISTEN: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) },
  })
}

async function findPrimary(nodes: readonly ClusterNode[]): Promise<ClusterNode | null> {
  const answers = await Promise.all(nodes.map((node) => node.ask('/primary')))
  const primaries = nodes.filter((_, place) => answers[place] !== null)
  const [only] = primaries
  return primaries.length === 1 && only !== undefined ? only : null
}

async function waitUntilHealthy(healthy: {
  nodes: readonly ClusterNode[]
  isSynchronous: boolean
}): Promise<ClusterNode> {
  const { nodes } = healthy
  const deadline = performance.now() + HEALTHY_MS_MAX
  let state = 'no node answers'
  while (performance.now() < deadline) {
    const primary = await findPrimary(nodes)
    if (primary !== null) {
      // The cast is safe because each property is compared with the expected value.
      const answer = (await primary.ask('/cluster')) as Members | null
      const members = answer?.members ?? []
      if (isWhole(members, healthy)) return primary
      state = JSON.stringify(members)
    }
    await delay(POLL_MS)
  }
  throw new Error(`the cluster is not healthy after ${HEALTHY_MS_MAX / 1_000} s: ${state}`)
}

/**
 * True if all members follow one primary on one timeline. With synchronous replication, a standby
 * must also confirm commits.
 */
function isWhole(
  members: NonNullable<Members['members']>,
  { nodes, isSynchronous }: { nodes: readonly ClusterNode[]; isSynchronous: boolean },
): boolean {
  const timelines = new Set(members.map(({ timeline }) => timeline))
  return (
    members.length === nodes.length &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    timelines.size === 1 &&
    members.filter(({ role }) => role === 'leader').length === 1 &&
    (!isSynchronous || members.some(({ role }) => role === 'sync_standby'))
  )
}
