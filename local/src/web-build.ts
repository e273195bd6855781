import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PROGRAM_PATH, ROOT } from './environment.ts'

export const WEB_DIST = join(ROOT, 'web', 'dist')

const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'api-gateway/contracts/src',
  'ledger-service/contracts/src',
]

export async function isWebBuilt(): Promise<boolean> {
  const index = join(WEB_DIST, 'index.html')
  if (!existsSync(index)) return false
  const builtMs = (await stat(index)).mtimeMs
  const newest = await Promise.all(SOURCES.map((path) => newestMs(join(ROOT, path))))
  return Math.max(...newest) <= builtMs
}

/** Runs the web's own build; `onChild` lets the caller end it early. */
export async function buildWeb(build: {
  log: (line: string) => void
  onChild: (child: ChildProcess) => void
}): Promise<void> {
  build.log('building the web pages (about half a minute)')
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const progress = setInterval(() => build.log(`still building (${seconds()} s)`), 10_000)
  const child = spawn('npm', ['run', '--silent', 'build'], {
    cwd: join(ROOT, 'web'),
    env: { ...process.env, PATH: PROGRAM_PATH, NODE_ENV: 'production' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  build.onChild(child)
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-6_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  }).finally(() => clearInterval(progress))
  if (code !== 0) throw new Error(`the web pages could not be built:\n${output}`)
  build.log(`built the web pages in ${seconds()} s`)
}

async function newestMs(path: string): Promise<number> {
  if (!existsSync(path)) return 0
  const found = await stat(path)
  if (!found.isDirectory()) return found.mtimeMs
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const times = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}
