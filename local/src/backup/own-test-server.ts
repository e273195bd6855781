import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../free-port.ts'
import { findAccount } from '../postgres-user.ts'

const DEBIAN_FOLDER = '/usr/lib/postgresql'
const MEMORY_FOLDER = '/dev/shm'
export const STANZA = 'cairn'
const PASSWORD = 'of-the-operator'

/** A server of a Debian package that archives with pgBackRest into an encrypted repository. */
export interface OwnTestServer {
  /** A folder that the user of the server can enter. */
  readonly folder: string
  /** The URL of an account that may create roles, and nothing more. */
  readonly databaseUrl: string
  /** The configuration of pgBackRest. */
  readonly config: string
  /** The folder of the archived segments. */
  readonly archive: string
  /** Runs a statement as the superuser. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  createStanza(config: string): void
  /** Writes a configuration with other settings of the repository. Returns its path. */
  writeConfig(name: string, settings: readonly string[]): Promise<string>
  stop(): Promise<void>
}

/** Returns the folder of the programs of a server, or null if they or pgBackRest are not installed. */
export function findOwnPrograms(): string | null {
  if (spawnSync('pgbackrest', ['version']).error !== undefined) return null
  if (!existsSync(DEBIAN_FOLDER)) return null
  const folders = readdirSync(DEBIAN_FOLDER).map((name) => join(DEBIAN_FOLDER, name, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** The folder of a test run is closed to the user of the server. */
async function allowEntry(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) await chmod(path, mode | 0o001)
}

export async function startOwnTestServer(programs: string): Promise<OwnTestServer> {
  const account = findAccount()
  // Each backup and each drill flushes a thousand files, which takes seconds on a disk.
  const place = existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir()
  const folder = await mkdtemp(join(place, 'cairn-own-'))
  const handOver = async (path: string) => {
    if (account !== null) await chown(path, account.uid, account.gid)
  }
  await chmod(folder, 0o711)
  await allowEntry(place)
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700 })
  await handOver(home)
  const [dataDir, port] = [join(home, 'data'), await findFreePort()]

  function run(program: string, args: readonly string[]): string {
    const options = { encoding: 'utf8', cwd: '/', ...account } as const
    const { status, stdout, stderr, error } = spawnSync(program, args, options)
    if (status === 0) return stdout
    throw error ?? new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
  }

  async function writeConfig(name: string, settings: readonly string[]): Promise<string> {
    const path = join(home, name)
    const lines = [
      '[global]',
      ...settings,
      `log-path=${home}`,
      `lock-path=${join(home, 'lock')}`,
      'start-fast=y',
      `[${STANZA}]`,
      `pg1-path=${dataDir}`,
      `pg1-port=${port}`,
      `pg1-socket-path=${home}`,
      'pg1-user=postgres',
    ]
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
    await handOver(path)
    return path
  }

  const config = await writeConfig('pgbackrest.conf', [
    `repo1-path=${join(home, 'repository')}`,
    'repo1-cipher-type=aes-256-cbc',
    'repo1-cipher-pass=of-the-repository',
    'repo1-retention-full-type=time',
    'repo1-retention-full=22',
  ])
  run(join(programs, 'initdb'), ['-D', dataDir, '-U', 'postgres', '--auth=trust', '-k'])
  const settings = [
    `port=${port}`,
    `listen_addresses='127.0.0.1'`,
    `unix_socket_directories='${home}'`,
    'archive_mode=on',
    'archive_timeout=60',
    `archive_command='pgbackrest --config=${config} --stanza=${STANZA} archive-push %p'`,
  ]
  await appendFile(join(dataDir, 'postgresql.conf'), `${settings.join('\n')}\n`)
  const control = (...args: readonly string[]) =>
    run(join(programs, 'pg_ctl'), ['-D', dataDir, '-l', join(home, 'log'), '-w', ...args])
  control('start')

  const formatUrl = (login: string, database: string) =>
    `postgres://${login}@127.0.0.1:${port}/${database}`
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: formatUrl('postgres', 'postgres') })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  await query(`create role operator login createrole password '${PASSWORD}'`)
  await query('create database cairn owner operator')
  return {
    folder,
    databaseUrl: formatUrl(`operator:${PASSWORD}`, 'cairn'),
    config,
    archive: join(home, 'repository', 'archive', STANZA),
    query,
    createStanza: (path) => {
      run('pgbackrest', [`--config=${path}`, `--stanza=${STANZA}`, 'stanza-create'])
    },
    writeConfig,
    stop: async () => {
      control('-m', 'fast', 'stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
