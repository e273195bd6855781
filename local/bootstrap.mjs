// Runs on whatever Node the machine has (20.19 or newer) and before anything is installed, so it
// imports nothing but Node itself. It makes the checkout complete and hands over to Node 26.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const LOCK_FILE = join(ROOT, 'package-lock.json')
const STAMP = join(MODULES, '.cairn-installed')
const INSTALLING = join(ROOT, '.installing')
const STALE_LOCK_MS = 30_000
const COMMANDS = [
  'start',
  'test',
  'verify',
  'ledger',
  'admin',
  'demo',
  'bench',
  'torture',
  'scorecard',
  'shots',
]

await main()

async function main() {
  const [command, ...rest] = process.argv.slice(2)
  if (!COMMANDS.includes(command)) stop(`usage: node local/bootstrap.mjs ${COMMANDS.join('|')}`)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Node ${process.versions.node} is too old: Cairn needs 20.19 or newer to begin`)
  }
  await install()
  const node = findNode()
  handOver(node, [join(ROOT, 'local', 'src', `${command}.ts`), ...rest])
}

async function install() {
  if (isInstalled()) return
  const release = await takeLock()
  try {
    // Somebody else may have installed while this process waited.
    if (!isInstalled()) await runNpmCi()
  } finally {
    release()
  }
}

function isInstalled() {
  const npmRecord = join(MODULES, '.package-lock.json')
  if (!existsSync(npmRecord)) return false
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === lockHash()
  return statSync(npmRecord).mtimeMs + 5_000 >= statSync(LOCK_FILE).mtimeMs
}

function lockHash() {
  return createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex')
}

async function takeLock() {
  let told = false
  for (;;) {
    try {
      mkdirSync(INSTALLING)
      const alive = setInterval(() => utimesSync(INSTALLING, new Date(), new Date()), 5_000)
      return () => {
        clearInterval(alive)
        rmSync(INSTALLING, { recursive: true, force: true })
      }
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      // The holder touches the folder; one that nobody touches belongs to a dead process.
      const touched = statSync(INSTALLING, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - touched > STALE_LOCK_MS) {
        rmSync(INSTALLING, { recursive: true, force: true })
        continue
      }
      if (!told) say('waiting for another installation in this folder')
      told = true
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

async function runNpmCi() {
  say('installing the packages of package-lock.json (npm ci)')
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const progress = setInterval(() => say(`still installing (${seconds()} s)`), 15_000)
  // npm names its own file when it runs this script; otherwise it is found on the path.
  const npm = process.env.npm_execpath
  const [file, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn(file, [...args, ...options], { cwd: ROOT, stdio: 'inherit' })
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      say(`npm could not be started: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  clearInterval(progress)
  if (code !== 0) {
    rmSync(INSTALLING, { recursive: true, force: true })
    stop(`npm ci failed with code ${code}; the lines above say why`)
  }
  writeFileSync(STAMP, lockHash())
  say(`installed in ${seconds()} s`)
}

function findNode() {
  const pinned = join(MODULES, 'node', 'bin', 'node')
  const first = tryNode(pinned)
  if (first.works) return pinned
  if (first.output.includes('libatomic')) {
    installLibatomic()
    if (tryNode(pinned).works) return pinned
  }
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  return stop(`the pinned Node 26 does not run here:\n${first.output.trim()}`)
}

function tryNode(file) {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return { works: result.status === 0, output: result.stderr || String(result.error ?? '') }
}

function installLibatomic() {
  const isRoot = process.getuid?.() === 0
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) {
    stop(
      'Node 26 needs the system library libatomic1. Install it and start again:\n' +
        '  Debian, Ubuntu: sudo apt-get install libatomic1\n' +
        '  Fedora, RHEL:   sudo dnf install libatomic\n' +
        '  Alpine:         sudo apk add libatomic',
    )
  }
  say('installing the system library libatomic1, which Node 26 needs')
  const get = ['install', '-y', '--no-install-recommends', 'libatomic1']
  if (apt(get) !== 0) {
    apt(['update'])
    if (apt(get) !== 0) stop('apt-get could not install libatomic1')
  }
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
    .status
}

function handOver(node, args) {
  const path = `${join(MODULES, '.bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, CAIRN_BOOTSTRAP: '1' }
  const child = spawn(node, args, { cwd: ROOT, stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm that is killed outright tells nobody: a new parent is the only sign of it.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref()
  }
  child.once('error', (error) => stop(`Node 26 could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal !== null) say(`ended by ${signal}`)
    process.exit(code ?? 1)
  })
}

function say(line) {
  process.stdout.write(`[cairn] ${line}\n`)
}

function stop(message) {
  process.stderr.write(`[cairn] ${message}\n`)
  process.exit(1)
}
