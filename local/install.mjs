// Runs before anything is installed, so it imports nothing but Node itself.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeLock } from './install-lock.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
export const MODULES = join(ROOT, 'node_modules')
const LOCK_FILE = join(ROOT, 'package-lock.json')
/** npm writes it when an installation has ended. */
const NPM_RECORD = join(MODULES, '.package-lock.json')
/** What was installed completely: the lock file's hash, and whether with the tools. */
const STAMP = join(MODULES, '.cairn-installed')
/** There while packages are added: `platform` or `tools`, the ones that may be incomplete. */
const UNFINISHED = join(MODULES, '.cairn-unfinished')
const PROGRESS_MS = 5_000

/**
 * Installs what is missing: for the platform `dependencies`, with tools also `devDependencies`. A
 * platform may be running from the same folder, so nothing that is complete is removed or replaced:
 * `npm ci`, which empties the folder, runs only where no installation has ever ended.
 */
export async function install({ withTools }) {
  if (isInstalled(withTools)) return
  const lock = await takeLock(join(ROOT, '.installing'), say)
  try {
    // Another process may have installed while this one waited.
    if (!isInstalled(withTools)) await installMissing({ withTools, lock })
  } finally {
    lock.release()
  }
}

function isInstalled(withTools) {
  const complete = readComplete()
  return complete?.lock === lockHash() && (complete.tools || !withTools)
}

/** What is known to be complete: null, or of which lock file and whether with tools. */
function readComplete() {
  const unfinished = readUnfinished()
  if (!existsSync(NPM_RECORD) || unfinished === 'platform') return null
  const found = existsSync(STAMP) ? readStamp() : readRecord()
  return unfinished === 'tools' ? { ...found, tools: false } : found
}

function readStamp() {
  const text = readFileSync(STAMP, 'utf8')
  // Stamps of earlier versions are the hash alone, and they installed everything.
  return text.startsWith('{') ? JSON.parse(text) : { lock: text, tools: true }
}

/** Installed by hand: npm's record is then as new as the lock file. */
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
  // Tools that were there stay there.
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
 * A fifth of the disk space that the platform never reads: C headers of Node, source maps, and the
 * TypeScript compiler, an optional peer that npm does not leave out with `--omit=dev`. An
 * installation of the tools adds the compiler again.
 */
function removeUnread() {
  for (const path of [`node-${process.platform}-${process.arch}/include`, 'typescript']) {
    rmSync(join(MODULES, path), { recursive: true, force: true })
  }
  for (const name of readdirSync(MODULES, { recursive: true })) {
    if (name.endsWith('.map')) rmSync(join(MODULES, name), { force: true })
  }
}

/** npm takes a folder with a `package.json` for a complete package; after a kill it may not be. */
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
  // npm names its own file when it runs this script; otherwise it is found on the path.
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

/** Packages of other systems are in the lock file, but npm does not install them here. */
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
