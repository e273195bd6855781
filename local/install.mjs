// Runs before anything is installed, so it imports only Node modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeLock } from './install-lock.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
export const MODULES = join(ROOT, 'node_modules')
const LOCK_FILE = join(ROOT, 'package-lock.json')
/** npm writes this file when an installation is complete. */
const NPM_RECORD = join(MODULES, '.package-lock.json')
/**
 * This file contains the hash of the lock file at the last complete installation, and whether this
 * installation includes the tools.
 */
const STAMP = join(MODULES, '.cairn-installed')
/**
 * This file exists while packages are added. Its content, `platform` or `tools`, says which
 * packages may be incomplete.
 */
const UNFINISHED = join(MODULES, '.cairn-unfinished')
const PROGRESS_MS = 5_000

/**
 * Installs missing packages: `dependencies`, and with tools also `devDependencies`. `npm ci`
 * deletes `node_modules`, which a running platform may use. It therefore runs only if the packages
 * of the platform are incomplete.
 */
export async function install({ withTools }) {
  if (isInstalled(withTools)) return
  const lock = await takeLock(join(ROOT, '.installing'), printLine)
  try {
    // Another process may have installed the packages while this process waited for the lock.
    if (!isInstalled(withTools)) await installMissingPackages({ withTools, lock })
  } finally {
    lock.release()
  }
}

function isInstalled(withTools) {
  const complete = readCompleteInstallation()
  return complete?.lock === hashLockFile() && (complete.tools || !withTools)
}

/**
 * Describes the last complete installation: `lock` is the hash of its lock file, and `tools` says
 * whether it includes tools. Returns null if no installation is complete.
 */
function readCompleteInstallation() {
  const unfinished = readUnfinishedMark()
  if (!existsSync(NPM_RECORD) || unfinished === 'platform') return null
  const found = existsSync(STAMP) ? readStamp() : readRecord()
  return unfinished === 'tools' ? { ...found, tools: false } : found
}

function readStamp() {
  const text = readFileSync(STAMP, 'utf8')
  // Earlier versions of this script wrote only the hash and always installed the tools.
  return text.startsWith('{') ? JSON.parse(text) : { lock: text, tools: true }
}

/**
 * Describes an installation that a person made with npm, so that it has no stamp of this script.
 * The packages are current if the record of npm is as new as the lock file.
 */
function readRecord() {
  const isCurrent = statSync(NPM_RECORD).mtimeMs + 5_000 >= statSync(LOCK_FILE).mtimeMs
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const tools = Object.keys(devDependencies).every((name) => existsSync(join(MODULES, name)))
  return { lock: isCurrent ? hashLockFile() : null, tools }
}

function readUnfinishedMark() {
  return existsSync(UNFINISHED) ? readFileSync(UNFINISHED, 'utf8') : null
}

function hashLockFile() {
  return createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex')
}

async function installMissingPackages({ withTools, lock }) {
  const complete = readCompleteInstallation()
  const isFresh = complete === null
  // Tools that are already installed are not removed.
  const tools = withTools || complete?.tools === true
  if (!isFresh) {
    if (readUnfinishedMark() !== null) removeToolPackages()
    writeFileSync(UNFINISHED, complete.lock === hashLockFile() ? 'tools' : 'platform')
  }
  const what = tools
    ? 'all packages, with those of tests and tools'
    : 'the packages of the platform'
  const command = isFresh ? 'ci' : 'install'
  printLine(`installing ${what} (npm ${command})`)
  const scope = tools ? '--include=dev' : '--omit=dev'
  const seconds = await runNpm([command, scope], { tools, lock })
  if (!tools) removeUnusedFiles()
  writeFileSync(STAMP, JSON.stringify({ lock: hashLockFile(), tools }))
  rmSync(UNFINISHED, { force: true })
  printLine(`installed ${what} in ${seconds} s`)
}

/**
 * Removes files that the platform never reads. They take up a fifth of `node_modules`. An
 * installation of the tools restores the compiler.
 */
function removeUnusedFiles() {
  for (const path of [`node-${process.platform}-${process.arch}/include`, 'typescript']) {
    rmSync(join(MODULES, path), { recursive: true, force: true })
  }
  for (const name of readdirSync(MODULES, { recursive: true })) {
    if (name.endsWith('.map')) rmSync(join(MODULES, name), { force: true })
  }
}

/**
 * Removes the packages of the tools. After npm was killed, these packages can be incomplete, and
 * npm would not replace incomplete packages.
 */
function removeToolPackages() {
  for (const { path, entry } of listLockedPackages()) {
    if (entry.dev === true) rmSync(join(ROOT, path), { recursive: true, force: true })
  }
}

function listLockedPackages() {
  const { packages } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
    .map(([path, entry]) => ({ path, entry }))
}

/** Runs npm and returns the duration in seconds. Ends this process if npm fails. */
async function runNpm(args, { tools, lock }) {
  const began = Date.now()
  const measureSeconds = () => Math.round((Date.now() - began) / 1000)
  const wanted = listLockedPackages().filter(({ entry }) => isWanted(entry, tools))
  const progress = setInterval(() => {
    const count = wanted.filter(({ path }) => existsSync(join(ROOT, path, 'package.json'))).length
    printLine(`${measureSeconds()} s: ${count} of ${wanted.length} packages are installed`)
  }, PROGRESS_MS)
  // npm sets this variable to the path of its own script. Without the variable, npm is found in
  // PATH.
  const npm = process.env.npm_execpath
  const [file, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const options = [...args, '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn(file, [...first, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  lock.note(child.pid)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      printLine(`npm could not be started: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  clearInterval(progress)
  if (code === 0) return measureSeconds()
  lock.release()
  stop(
    `npm ${args[0]} failed with code ${code}; the lines above show the reason. Start again to continue`,
  )
}

/**
 * True if npm installs the package on this system. The lock file also lists packages of other
 * systems.
 */
function isWanted({ dev, os, cpu, libc }, tools) {
  const isListed = (list, own) => list === undefined || [list].flat().includes(own)
  const isHere =
    isListed(os, process.platform) && isListed(cpu, process.arch) && isListed(libc, 'glibc')
  return isHere && (tools || dev !== true)
}

export function printLine(line) {
  process.stdout.write(`[cairn] ${line}\n`)
}

export function stop(message) {
  process.stderr.write(`[cairn] ${message}\n`)
  process.exit(1)
}
