import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../environment.ts'
import { findFreePort } from '../free-port.ts'
import type { Account } from '../postgres-user.ts'
import { type Link, openLink } from './link.ts'
import { listChildren, signalProcess, startProcess, stopProcess } from './processes.ts'
import type { Programs } from './programs.ts'

export const PATRONI_FILE = join(ROOT, 'ops', 'ha', 'patroni.yml')
const ASK_TIMEOUT_MS = 2_000

/** The passwords of the database users of the cluster. */
export interface ClusterPasswords {
  readonly superuser: string
  readonly replication: string
  readonly rewind: string
}

/** One machine of the cluster: a PostgreSQL server and the Patroni process that controls it. */
export interface ClusterNode {
  readonly name: string
  /** The ports at which HAProxy reaches PostgreSQL and Patroni. */
  readonly clientPorts: { readonly postgres: number; readonly patroni: number }
  /** Returns the answer of Patroni. Returns null if Patroni does not answer. */
  ask(path: string): Promise<unknown>
  /** Changes the settings that Patroni stores in etcd. */
  changeSettings(settings: object): Promise<void>
  /** Kills all processes of the PostgreSQL server with SIGKILL. Patroni continues to run. */
  kill(): Promise<void>
  /** Stops all processes of the node with SIGSTOP. */
  pause(): Promise<void>
  resume(): void
  /** Cuts the node off from etcd and the other nodes, and from the clients if `clients` is set. */
  cut(from: { clients: boolean }): void
  /** Cuts only the replication, so that confirmed commits of this node reach no standby. */
  cutReplication(): void
  heal(): void
  stop(): Promise<void>
}

export async function startNode(start: {
  name: string
  folder: string
  programs: Programs
  account: Account | null
  passwords: ClusterPasswords
  etcdPort: number
}): Promise<ClusterNode> {
  const { name, folder, programs, account, passwords, etcdPort } = start
  const [postgres, patroni] = [await findFreePort(), await findFreePort()]
  const open = async (target: number) => openLink({ port: await findFreePort(), target })
  const links = {
    etcd: await open(etcdPort),
    peerPostgres: await open(postgres),
    peerPatroni: await open(patroni),
    clientPostgres: await open(postgres),
    clientPatroni: await open(patroni),
  }
  const dataDir = join(folder, name)
  const child = startProcess({
    command: [programs.patroni, PATRONI_FILE],
    folder,
    logFile: join(folder, `${name}.log`),
    account,
    env: {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroni}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${links.peerPatroni.port}`,
      PATRONI_ETCD_HOSTS: `127.0.0.1:${links.etcd.port}`,
      // Without this setting, Patroni would ask etcd for the address of etcd and connect without
      // the proxy.
      PATRONI_ETCD_USE_PROXIES: 'true',
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgres}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${links.peerPostgres.port}`,
      PATRONI_POSTGRESQL_DATA_DIR: dataDir,
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgresFolder,
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: passwords.rewind,
    },
  })
  return {
    name,
    clientPorts: {
      postgres: links.clientPostgres.port,
      patroni: links.clientPatroni.port,
    },
    ...createControls({ child, dataDir, links }),
    ask: (path) => call(`http://127.0.0.1:${patroni}${path}`, {}),
    changeSettings: async (settings) => {
      const request = { method: 'PATCH', body: JSON.stringify(settings) }
      const answer = await call(`http://127.0.0.1:${patroni}/config`, request)
      if (answer === null) throw new Error(`${name} did not accept the settings`)
    },
  }
}

interface Links {
  readonly etcd: Link
  readonly peerPostgres: Link
  readonly peerPatroni: Link
  readonly clientPostgres: Link
  readonly clientPatroni: Link
}

function createControls({
  child,
  dataDir,
  links,
}: {
  child: ChildProcess
  dataDir: string
  links: Links
}): Pick<ClusterNode, 'kill' | 'pause' | 'resume' | 'cut' | 'cutReplication' | 'heal' | 'stop'> {
  const paused: number[] = []
  const resume = () => {
    for (const pid of paused.splice(0)) signalProcess(pid, 'SIGCONT')
  }
  const heal = () => {
    for (const link of Object.values(links)) link.heal()
  }
  return {
    resume,
    heal,
    kill: async () => {
      for (const pid of await listServerProcesses(dataDir)) signalProcess(pid, 'SIGKILL')
    },
    pause: async () => {
      const server = await listServerProcesses(dataDir)
      for (const pid of [...(child.pid === undefined ? [] : [child.pid]), ...server]) {
        if (signalProcess(pid, 'SIGSTOP')) paused.push(pid)
      }
    },
    cut: ({ clients }) => {
      links.etcd.cut()
      links.peerPostgres.cut()
      links.peerPatroni.cut()
      if (!clients) return
      links.clientPostgres.cut()
      links.clientPatroni.cut()
    },
    cutReplication: () => links.peerPostgres.cut(),
    stop: async () => {
      resume()
      heal()
      await stopProcess(child)
      for (const link of Object.values(links)) link.close()
    },
  }
}

/**
 * Returns the ids of the PostgreSQL server and its processes. The id of the server is the first.
 */
async function listServerProcesses(dataDir: string): Promise<readonly number[]> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8')
  const server = Number(text.split('\n')[0])
  if (!Number.isInteger(server) || server <= 1) throw new Error(`no server runs in ${dataDir}`)
  return [server, ...listChildren(server)]
}

async function call(url: string, request: RequestInit): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS)
    const answer = await fetch(url, { ...request, signal })
    const body: unknown = await answer.json()
    return answer.ok ? body : null
  } catch {
    return null
  }
}
