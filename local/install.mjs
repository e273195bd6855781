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
/** npm writes this file at the end of an installation. */
const NPM_RECORD = join(MODULES, '.package-lock.json')
/** Records the last complete installation: the hash of the lock file, and whether the tools are included. */
const STAMP = join(MODULES, '.cairn-installed')
/** Exists while packages are added: `platform` or `tools`, whichever may be incomplete. */
const UNFINISHED = join(MODULES, '.cairn-unfinished')
const PROGRESS_MS = 5_000

/**
 * Installs missing packages: `dependencies` for the platform, also `devDependencies` with tools. A platform may
 * be running from the same folder, so no complete package is removed or replaced: `npm ci`, which empties the
 * folder, runs only if no installation has ever completed.
 */
export async function install({ withTools }) {
  if (isInstalled(withTools)) return
  const lock = await takeLock(join(ROOT, '.installing'), say)
  try {
    // Another process may have installed meanwhile.
    if (!isInstalled(withTools)) await installMissing({ withTools, lock })
  } finally {
    lock.release()
  }
}

function isInstalled(withTools) {
  const complete = readComplete()
  return complete?.lock === lockHash() && (complete.tools || !withTools)
}

/** Returns the complete installation: its lock file hash and whether it has tools; null if unknown. */
function readComplete() {
  const unfinished = readUnfinished()
  if (!existsSync(NPM_RECORD) || unfinished === 'platform') return null
  const found = existsSync(STAMP) ? readStamp() : readRecord()
  return unfinished === 'tools' ? { ...found, tools: false } : found
}

function readStamp() {
  const text = readFileSync(STAMP, 'utf8')
  // Stamps of earlier versions contain only the hash, and those versions installed everything.
  return text.startsWith('{') ? JSON.parse(text) : { lock: text, tools: true }
}

/** After a manual installation npm's record is as new as the lock file. */
function readRecord() {
  const isCurrent = statSync(NPM_RECORD).mtimeMs + 5_000 >= statSync(LOCK_FILE).mtimeMs
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const tools = Object.keys(devDependencies).every((name) => existsSync(join(MODULES, name)))
  return { lock: isCurrent ? lockHash() : null, tools }
}

function readUnfinished() {
  return existsSync(UNFINISHED) ? readFileSync(UNFINISHED, 'utf8') : null
}

function lockHash() {
  return createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex')
}

async function installMissing({ withTools, lock }) {
  const complete = readComplete()
  const isFresh = complete === null
  // Installed tools are kept.
  const tools = withTools || complete?.tools === true
  if (!isFresh) {
    if (readUnfinished() !== null) removeToolPackages()
    writeFileSync(UNFINISHED, complete.lock === lockHash() ? 'tools' : 'platform')
  }
  const what = tools
    ? 'all packages, with those of tests and tools'
    : 'the packages of the platform'
  const command = isFresh ? 'ci' : 'install'
  say(`installing ${what} (npm ${command})`)
  const scope = tools ? '--include=dev' : '--omit=dev'
  const seconds = await runNpm([command, scope], { tools, lock })
  if (!tools) removeUnread()
  writeFileSync(STAMP, JSON.stringify({ lock: lockHash(), tools }))
  rmSync(UNFINISHED, { force: true })
  say(`installed ${what} in ${seconds} s`)
}

/**
 * Removes files that the platform never reads, a fifth of the disk space: C headers of Node, source maps, and
 * the TypeScript compiler, an optional peer that npm installs despite `--omit=dev`. An installation of the
 * tools adds the compiler again.
 */
function removeUnread() {
  for (const path of [`node-${process.platform}-${process.arch}/include`, 'typescript']) {
    rmSync(join(MODULES, path), { recursive: true, force: true })
  }
  for (const name of readdirSync(MODULES, { recursive: true })) {
    if (name.endsWith('.map')) rmSync(join(MODULES, name), { force: true })
  }
}

/** npm treats a folder with a `package.json` as a complete package; after a kill it may be incomplete. */
function removeToolPackages() {
  for (const { path, entry } of lockedPackages()) {
    if (entry.dev === true) rmSync(join(ROOT, path), { recursive: true, force: true })
  }
}

function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
    .map(([path, entry]) => ({ path, entry }))
}

/** Returns the seconds it took; ends the process if npm fails. */
async function runNpm(args, { tools, lock }) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const wanted = lockedPackages().filter(({ entry }) => isWanted(entry, tools))
  const progress = setInterval(() => {
    const count = wanted.filter(({ path }) => existsSync(join(ROOT, path, 'package.json'))).length
    say(`${seconds()} s: ${count} of ${wanted.length} packages are there`)
  }, PROGRESS_MS)
  // npm passes the path of its script; otherwise npm is found on the path.
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
      say(`npm could not be started: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  clearInterval(progress)
  if (code === 0) return seconds()
  lock.release()
  stop(`npm ${args[0]} failed with code ${code}; the lines above say why. Start again to go on`)
}

/** The lock file lists packages of other systems, which npm does not install here. */
function isWanted({ dev, os, cpu, libc }, tools) {
  const fits = (list, own) => list === undefined || [list].flat().includes(own)
  const isHere = fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc')
  return isHere && (tools || dev !== true)
}

export function say(line) {
  process.stdout.write(`[cairn] ${line}\n`)
}

export function stop(message) {
  process.stderr.write(`[cairn] ${message}\n`)
  process.exit(1)
}
