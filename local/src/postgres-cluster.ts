import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRunning } from './is-running.ts'
import type { ServerAccount } from './postgres-account.ts'

export const SUPERUSER = 'postgres'

export async function ensureCluster(making: {
  account: ServerAccount
  password: string
  log: (line: string) => void
}): Promise<void> {
  const { account } = making
  const versionFile = join(account.dataDir, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const found = (await readFile(versionFile, 'utf8')).trim()
    if (found === String(account.version)) return
    throw new Error(
      `${account.dataDir} was made by PostgreSQL ${found}, but this server is PostgreSQL ${account.version}; ` +
        'choose another DATA_DIR',
    )
  }
  making.log(`preparing a PostgreSQL ${account.version} database in ${account.dataDir}`)
  const parent = dirname(account.dataDir)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  // The cluster is created under a temporary name and then renamed, so that an interrupted start
  // leaves no partial cluster.
  const draft = `${account.dataDir}.draft`
  const passwordFile = `${account.dataDir}.password`
  await rm(draft, { recursive: true, force: true })
  try {
    await writeFile(passwordFile, making.password, { mode: 0o600 })
    await account.handOver(passwordFile)
    await runInitdb(account, ['-D', draft, '--pwfile', passwordFile, ...listLocaleFlags(account)])
    await rename(draft, account.dataDir)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

function listLocaleFlags({ version }: ServerAccount): readonly string[] {
  const same = ['--encoding=UTF8', '--locale=C']
  // The built-in collation is the same on all operating systems. PostgreSQL versions before 17 do
  // not have it.
  return version >= 17 ? [...same, '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : same
}

function runInitdb(account: ServerAccount, flags: readonly string[]): Promise<void> {
  const fixed = ['-U', SUPERUSER, '--auth=scram-sha-256', '--data-checksums']
  const child = account.spawn('initdb', [...fixed, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb failed:\n${output}`))
    })
  })
}

/**
 * Throws if a server is running on these files. Otherwise removes a file `postmaster.pid` that
 * would prevent the start of the server.
 */
export async function assertNotRunning(dataDir: string): Promise<void> {
  const noteFile = join(dataDir, 'postmaster.pid')
  if (!existsSync(noteFile)) return
  const pid = Number(readFileSync(noteFile, 'utf8').split('\n')[0])
  if (isPostgresOn(pid, dataDir)) {
    throw new Error(
      `the data directory ${dataDir} is in use by process ${pid}; ` +
        'stop that platform first or choose another DATA_DIR',
    )
  }
  // A program other than the server may now have the process id. The server would then refuse to
  // start, so the file is removed here. If no process has the id, the server removes the file
  // itself.
  if (isRunning(pid)) await rm(noteFile, { force: true })
}

function isPostgresOn(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  const command = readCommandLine(pid)
  return command.includes('postgres') && `${command} `.includes(` ${dataDir} `)
}

function readCommandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? ''
}
