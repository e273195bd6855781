// Runs before anything is installed, so it imports only Node modules.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const STALE_MS = 30_000
const TOUCH_MS = 5_000
const POLL_MS = 300

/**
 * Waits for the lock and takes it, so that only one process installs packages in a folder. The lock
 * is a folder with two process ids: the holder of the lock and its npm. If both processes have
 * ended, another process can take over the lock.
 */
export async function takeLock(path, printLine) {
  let said = null
  for (;;) {
    if (tryCreateLock(path)) return holdLock(path)
    const wait = findReasonToWait(path)
    if (wait === null) {
      rmSync(path, { recursive: true, force: true })
      continue
    }
    if (said !== wait) printLine(wait)
    said = wait
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function tryCreateLock(path) {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function holdLock(path) {
  const note = (npm) => {
    const owner = { host: hostname(), holder: process.pid, npm: npm ?? null }
    writeFileSync(join(path, 'owner.json'), JSON.stringify(owner))
  }
  note(null)
  const alive = setInterval(() => utimesSync(path, new Date(), new Date()), TOUCH_MS)
  return {
    note,
    release: () => {
      clearInterval(alive)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/**
 * Returns a message if the caller must wait for the lock. Returns null if its holder and npm have
 * ended.
 */
function findReasonToWait(path) {
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const isFresh = Date.now() - touched <= STALE_MS
  const owner = readOwner(path)
  const isOurs = owner?.host === hostname()
  if (isOurs && isNpm(owner.npm)) {
    return `waiting for npm (process ${owner.npm}), which is installing in this folder`
  }
  if (!isFresh || (isOurs && !isAlive(owner.holder))) return null
  return 'waiting for another installation in this folder'
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'))
  } catch {
    // The file with the process ids is missing or incomplete, so only the age of the lock shows
    // whether it is still valid.
    return null
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Checks the name of the program, because the system may have given the process id to a different
 * program.
 */
function isNpm(pid) {
  if (pid === null || !isAlive(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('npm')
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', pid], { encoding: 'utf8' }).stdout.includes(
      'npm',
    )
  }
}
