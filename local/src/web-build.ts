import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { PROGRAM_PATH, ROOT } from './environment.ts'

const DIST = join(ROOT, 'web', 'dist')
const KEPT_MS = 2 * 86_400_000

const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/chunk-cycles.ts',
  'web/script-limits.ts',
  'web/prerender.ts',
  'web/precompress.ts',
  'web/pinned-keys.ts',
  'web/package.json',
  'api-gateway/contracts/src',
  'ledger-service/contracts/src',
  'package-lock.json',
]

/** Returns the folder of the built pages for the current sources. The folder may not exist yet. */
export async function getWebFolder(): Promise<string> {
  return join(DIST, await hashSources())
}

/**
 * Builds the pages if they are missing and returns their folder. Each version of the sources has
 * its own folder, so that two platforms can build at the same time.
 */
export async function ensureWeb(build: {
  log: (line: string) => void
  /** This function is called with the build process, so that the caller can stop the process. */
  onChild: (child: ChildProcess) => void
}): Promise<string> {
  const folder = await getWebFolder()
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${randomBytes(4).toString('hex')}`
    await buildWeb({ ...build, folder: unfinished })
    // The rename fails if another process has already built the same version.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  }
  const now = new Date()
  await utimes(folder, now, now)
  await removeUnusedBuilds(now.getTime())
  return folder
}

async function buildWeb(build: {
  log: (line: string) => void
  onChild: (child: ChildProcess) => void
  folder: string
}): Promise<void> {
  build.log('building the web pages (about half a minute)')
  const began = Date.now()
  const measureSeconds = () => Math.round((Date.now() - began) / 1000)
  const progress = setInterval(() => build.log(`still building (${measureSeconds()} s)`), 10_000)
  const child = spawn('npm', ['run', '--silent', 'build', '--', '--outDir', build.folder], {
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
  if (code !== 0) {
    await rm(build.folder, { recursive: true, force: true })
    throw new Error(`the web pages could not be built:\n${output}`)
  }
  build.log(`built the web pages in ${measureSeconds()} s`)
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(`${process.env.PINNED_LEDGER_KEYS ?? ''}\n`)
  const files = await Promise.all(SOURCES.map((path) => listFilesIn(path)))
  for (const path of files.flat().sort()) {
    hash.update(`${path}\n`).update(await readFile(join(ROOT, path)))
  }
  return hash.digest('hex').slice(0, 12)
}

async function listFilesIn(path: string): Promise<readonly string[]> {
  if (!(await stat(join(ROOT, path))).isDirectory()) return [path]
  const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

async function removeUnusedBuilds(nowMs: number): Promise<void> {
  for (const name of await readdir(DIST)) {
    const path = join(DIST, name)
    const found = await stat(path).catch(() => null)
    if (found === null || nowMs - found.mtimeMs <= KEPT_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}
