// Runs on the installed Node (20.19 or newer) before anything is installed, so it imports only Node
// modules. Installs missing packages and then runs the command with Node 26.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, MODULES, printLine, ROOT, stop } from './install.mjs'

const PLATFORM_COMMANDS = [
  'start',
  'ledger',
  'admin',
  'demo',
  'backup',
  'restore',
  'drill',
  'export',
  'import',
  'failover',
  'support-bundle',
]
/**
 * Commands that need the development dependencies. The first use of such a command installs the
 * development dependencies.
 */
const TOOL_COMMANDS = ['test', 'verify', 'bench', 'torture', 'scorecard', 'shots']

/**
 * Node keeps compiled modules in this folder, so it loads a TypeScript file without parsing it
 * again. This halves the start time of a process and saves 30 MB of memory per process. A new
 * version of a file gets a new entry.
 */
const COMPILE_CACHE = join(MODULES, '.cache', 'cairn-compiled')

await runBootstrap()

async function runBootstrap() {
  const [command, ...rest] = process.argv.slice(2)
  const isTool = command === 'tool' && rest.length > 0
  if (!isTool && ![...PLATFORM_COMMANDS, ...TOOL_COMMANDS].includes(command)) {
    const commands = [...PLATFORM_COMMANDS, ...TOOL_COMMANDS, 'tool PROGRAM'].join('|')
    stop(`usage: node local/bootstrap.mjs ${commands}`)
  }
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Node ${process.versions.node} is too old: Cairn needs Node 20.19 or newer`)
  }
  await install({ withTools: isTool || TOOL_COMMANDS.includes(command) })
  const node = findNode()
  // Programs of packages are scripts. They run with the Node 26 that is first in PATH.
  if (isTool) handOver(join(MODULES, '.bin', rest[0]), rest.slice(1))
  else handOver(node, [join(ROOT, 'local', 'src', `${command}.ts`), ...rest])
}

function findNode() {
  const pinned = join(MODULES, '.bin', 'node')
  const first = checkNode(pinned)
  if (first.works) return pinned
  if (first.output.includes('libatomic')) {
    installLibatomic()
    if (checkNode(pinned).works) return pinned
  }
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  return stop(`the pinned Node 26 does not run here:\n${first.output.trim()}`)
}

function checkNode(file) {
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
  printLine('installing the system library libatomic1, which Node 26 needs')
  const get = ['install', '-y', '--no-install-recommends', 'libatomic1']
  if (runApt(get) !== 0) {
    runApt(['update'])
    if (runApt(get) !== 0) stop('apt-get could not install libatomic1')
  }
}

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
    .status
}

function createEnvironment() {
  return {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // Limits the memory pools of glibc to two. By default, each thread can have its own pool, and
    // other threads cannot use the freed memory of this pool.
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    PATH: `${join(MODULES, '.bin')}:${process.env.PATH}`,
    CAIRN_BOOTSTRAP: '1',
  }
}

function handOver(program, args) {
  const env = createEnvironment()
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // If npm is killed, this process receives no signal. Only the id of its parent process changes.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref()
  }
  child.once('error', (error) => stop(`${program} could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal !== null) printLine(`ended by ${signal}`)
    process.exit(code ?? 1)
  })
}
