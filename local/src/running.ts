import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LEFTOVER_WAIT_MS = 8_000
const ADDRESSES = 'database-addresses'

/** Identifies a process. The start time is needed because the system reuses process ids. */
interface Note {
  readonly pid: number
  readonly started: string
}

export interface DatabaseAddresses {
  readonly auditor: string
  readonly owner: string
  readonly gateway: string
  /** The URL of the ledger service. */
  readonly ledger: string
  /** The public URL of the site. */
  readonly site: string
}

export interface RunningNotes {
  /**
   * Stores the id of a process. If this process still runs when the platform starts again, the
   * platform ends the process.
   */
  recordProcess(name: string, pid: number): Promise<void>
  /** Records the addresses that `npm run ledger` and `npm run admin` use. */
  recordAddresses(addresses: DatabaseAddresses): Promise<void>
  release(): Promise<void>
}

/**
 * Claims the data directory for this platform. Ends processes that a killed platform has left
 * running.
 */
export async function claimDataDir(
  dataDir: string,
  log: (line: string) => void,
): Promise<RunningNotes> {
  const folder = join(dataDir, 'run')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ownFile = join(folder, 'platform.json')
  await claimFile({ dataDir, folder, ownFile })
  await endLeftoverProcesses(folder, log)
  return {
    recordProcess: (name, pid) =>
      writeFile(join(folder, `${name}.json`), JSON.stringify(createNote(pid)), { mode: 0o600 }),
    recordAddresses: (addresses) =>
      writeFile(join(folder, ADDRESSES), JSON.stringify(addresses), { mode: 0o600 }),
    release: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * Returns the addresses of the running platform, or null if no platform runs on this data
 * directory.
 */
export async function findAddresses(dataDir: string): Promise<DatabaseAddresses | null> {
  const text = await readFile(join(dataDir, 'run', ADDRESSES), 'utf8').catch(() => null)
  return text === null ? null : JSON.parse(text)
}

/** Returns the process id of the platform that runs on this data directory, or null. */
export function findPlatform(dataDir: string): number | null {
  const holder = readNote(join(dataDir, 'run', 'platform.json'))
  return holder !== null && isSame(holder) ? holder.pid : null
}

async function claimFile(place: {
  dataDir: string
  folder: string
  ownFile: string
}): Promise<void> {
  const draft = join(place.folder, `.${process.pid}`)
  await writeFile(draft, JSON.stringify(createNote(process.pid)), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        // Creating a link is atomic, so only one of two processes succeeds.
        await link(draft, place.ownFile)
        return
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
      const holder = readNote(place.ownFile)
      if (holder !== null && isSame(holder)) {
        throw new Error(
          `the data directory ${place.dataDir} is in use by process ${holder.pid}; ` +
            'stop that platform first or choose another DATA_DIR',
        )
      }
      await rm(place.ownFile, { force: true })
    }
    throw new Error(`the data directory ${place.dataDir} is being claimed by another process`)
  } finally {
    await rm(draft, { force: true })
  }
}

async function endLeftoverProcesses(folder: string, log: (line: string) => void): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const notes = names
    .filter((name) => name !== 'platform.json')
    .map((name) => ({ name: name.slice(0, -'.json'.length), note: readNote(join(folder, name)) }))
    // The database is ended last, because the other processes use it until they end.
    .sort((left, right) => Number(left.name === 'database') - Number(right.name === 'database'))
  for (const { name, note } of notes) {
    if (note !== null && isSame(note)) {
      log(`ending the ${name} (process ${note.pid}) that an earlier platform left behind`)
      process.kill(note.pid, name === 'database' ? 'SIGINT' : 'SIGTERM')
      await waitForEnd(note)
    }
    await rm(join(folder, `${name}.json`), { force: true })
  }
}

async function waitForEnd(note: Note): Promise<void> {
  const deadline = Date.now() + LEFTOVER_WAIT_MS
  while (isSame(note)) {
    if (Date.now() > deadline) process.kill(note.pid, 'SIGKILL')
    await sleep(50)
  }
}

function createNote(pid: number): Note {
  return { pid, started: readStartTime(pid) ?? 'unknown' }
}

function readNote(file: string): Note | null {
  if (!existsSync(file)) return null
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null
  } catch {
    return null
  }
}

function isSame(note: Note): boolean {
  return readStartTime(note.pid) === note.started
}

function readStartTime(pid: number): string | null {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'lstart='], { encoding: 'utf8' })
    return stdout?.trim() || null
  }
  try {
    // The process name is in parentheses and may contain spaces, so fields are counted after the
    // name. The state Z means zombie.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}
