import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addDeathSignal } from './death-signal.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

const OWN_HOME = '/var/lib/cairn'
const OWN_USER = 'cairn-postgres'

interface Person {
  readonly uid: number
  readonly gid: number
}

/** The account that runs the programs of the server, and the folder of its files. */
export interface ServerAccount {
  readonly version: number
  readonly dataDir: string
  spawn(
    program: 'initdb' | 'postgres',
    args: readonly string[],
    options: SpawnOptions,
  ): ChildProcess
  /** Makes a file readable for the programs of the server. */
  handOver(path: string): Promise<void>
}

export async function prepareAccount(wanted: {
  dataDir: string
  binaries: PostgresBinaries
  log: (line: string) => void
}): Promise<ServerAccount> {
  const { dataDir, binaries } = wanted
  if (process.getuid?.() !== 0) return createCurrentUserAccount(dataDir, binaries)

  // PostgreSQL refuses to run as root. In a user namespace, PostgreSQL sees root as a normal user,
  // and root keeps its access to folders.
  const person = findRegularUser()
  if (canUseNamespaces(person)) return createNamespaceAccount({ dataDir, binaries, person })
  return createOwnFolderAccount({ ...wanted, person: findOrCreateOwnUser() })
}

function createCurrentUserAccount(dataDir: string, binaries: PostgresBinaries): ServerAccount {
  return {
    version: binaries.version,
    dataDir,
    spawn: (program, args, options) =>
      spawnUntilParentEnds([join(binaries.folder, 'bin', program), ...args], options),
    handOver: async () => {},
  }
}

function createNamespaceAccount(account: {
  dataDir: string
  binaries: PostgresBinaries
  person: Person
}): ServerAccount {
  const { binaries, dataDir, person } = account
  return {
    version: binaries.version,
    dataDir,
    // `unshare` execs the program, so the process id stays the same.
    spawn: (program, args, options) => {
      const server = addDeathSignal('INT', [join(binaries.folder, 'bin', program), ...args])
      return spawn('unshare', [...formatNamespaceFlags(person), ...server], options)
    },
    handOver: async () => {},
  }
}

async function createOwnFolderAccount(account: {
  dataDir: string
  binaries: PostgresBinaries
  person: Person
  log: (line: string) => void
}): Promise<ServerAccount> {
  const { binaries, person } = account
  const { uid, gid } = person
  const programs = join(OWN_HOME, `postgres-${binaries.version}`)
  const place = createHash('sha256').update(account.dataDir).digest('hex').slice(0, 12)
  const home = join(OWN_HOME, place)
  const handOver = (path: string) => chown(path, uid, gid)

  await mkdir(home, { recursive: true, mode: 0o755 })
  await chmod(OWN_HOME, 0o755)
  if (!existsSync(join(programs, 'bin', 'postgres'))) {
    await cp(binaries.folder, programs, { recursive: true, verbatimSymlinks: true })
  }
  await handOver(home)
  account.log(`root may not run PostgreSQL here: the database is stored in ${home}`)
  return {
    version: binaries.version,
    dataDir: join(home, 'data'),
    spawn: (program, args, options) =>
      spawnUntilParentEnds([join(programs, 'bin', program), ...args], {
        ...options,
        uid,
        gid,
        cwd: '/',
      }),
    handOver,
  }
}

// The server must stop when its parent dies. SIGINT makes it stop fast but cleanly.
function spawnUntilParentEnds(
  command: readonly [string, ...string[]],
  options: SpawnOptions,
): ChildProcess {
  const [file, ...args] = addDeathSignal('INT', command)
  return spawn(file, args, options)
}

function formatNamespaceFlags({ uid, gid }: Person): string[] {
  return ['-U', `--map-user=${uid}`, `--map-group=${gid}`]
}

function canUseNamespaces(person: Person): boolean {
  if (process.platform !== 'linux') return false
  return (
    spawnSync('unshare', [...formatNamespaceFlags(person), 'true'], { stdio: 'ignore' }).status ===
    0
  )
}

// initdb needs a user name that the system knows, preferably the name of a regular user.
function findRegularUser(): Person {
  const known = listKnownUsers()
  return (
    known.find(({ uid }) => uid >= 1000 && uid < 60_000) ?? known[0] ?? { uid: 1000, gid: 1000 }
  )
}

function findOrCreateOwnUser(): Person {
  const find = () => listKnownUsers().find(({ name }) => name === OWN_USER)
  const found = find()
  if (found !== undefined) return found
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', OWN_USER])
  const made = find()
  if (made !== undefined) return made
  throw new Error(
    `root may not run PostgreSQL and the user ${OWN_USER} could not be created; ` +
      'start as another user, or set DATABASE_URL to an existing server',
  )
}

function listKnownUsers(): readonly (Person & { name: string })[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0)
}
