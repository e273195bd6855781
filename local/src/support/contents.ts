import { execFile } from 'node:child_process'
import { open, readdir, readFile, statfs } from 'node:fs/promises'
import { arch, cpus, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getResultPath } from '../backup/results.ts'
import { type Environment, ROOT, VARIABLES } from '../environment.ts'
import { findPlatform } from '../running.ts'

const run = promisify(execFile)
/** The last part of a log file. An older part is rarely the cause of a present problem. */
const LOG_BYTES_MAX = 4_000_000
const METRICS_TIMEOUT_MS = 10_000
const SECRET_VARIABLES: readonly string[] = [
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

/** A file of the bundle. If `read` fails, the file contains the error instead. */
export interface Entry {
  readonly file: string
  read(): Promise<string>
}

/** Lists the files about this machine and about the platform, except those about the database. */
export async function listEntries(environment: Environment): Promise<Entry[]> {
  const { dataDir, backupDir } = environment
  const logs = join(dataDir, 'logs')
  const names = await readdir(logs).catch(() => [])
  const results = backupDir === null ? [] : (['backup', 'drill'] as const)
  return [
    { file: 'about.json', read: () => describeMachine(dataDir) },
    {
      file: 'configuration.json',
      read: async () => formatJson(describeConfiguration(process.env)),
    },
    { file: 'platform.json', read: () => describePlatform(dataDir) },
    ...results.map((command) => ({
      file: `last-${command}.json`,
      read: () => readFile(getResultPath(backupDir ?? '', command), 'utf8'),
    })),
    ...(await listMetrics(dataDir)),
    ...names.map((name) => ({ file: `logs/${name}`, read: () => readEnd(join(logs, name)) })),
  ]
}

/**
 * Returns the value of each variable that `npm start` reads. The values of secrets are replaced by
 * "set" or "not set".
 */
export function describeConfiguration(given: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(VARIABLES).map(([name, [initial]]) => {
      const value = given[name] ?? ''
      if (SECRET_VARIABLES.includes(name)) return [name, value === '' ? 'not set' : 'set']
      if (value !== '') return [name, value]
      return [name, initial === '' ? 'not set' : `${initial} (default)`]
    }),
  )
}

async function describeMachine(dataDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const commit = await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).catch(() => null)
  const disk = await statfs(dataDir).catch(() => null)
  return formatJson({
    time: new Date().toISOString(),
    cairn: version,
    commit: commit?.stdout.trim() ?? null,
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    cores: cpus().length,
    load: loadavg(),
    uptimeSeconds: uptime(),
    memoryBytes: { total: totalmem(), free: freemem() },
    diskBytes: disk && { total: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
  })
}

async function describePlatform(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'run')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const processes = await Promise.all(
    names.map(async (name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(await readFile(join(folder, name), 'utf8')),
    ]),
  )
  return formatJson({
    isRunning: findPlatform(dataDir) !== null,
    processes: Object.fromEntries(processes),
    files: (await readdir(dataDir)).sort(),
  })
}

/** Lists the metrics of each process of a running platform. */
async function listMetrics(dataDir: string): Promise<Entry[]> {
  if (findPlatform(dataDir) === null) return []
  const text = await readFile(join(dataDir, 'metrics-targets.json'), 'utf8').catch(() => '[]')
  // The cast is safe because only `writeScrapeTargets` writes the file.
  const targets = JSON.parse(text) as { targets: [string]; labels: { job: string } }[]
  return targets.map(({ targets: [host], labels }) => ({
    file: `metrics/${labels.job}.txt`,
    read: async () => {
      const token = (await readFile(join(dataDir, 'secrets', 'token-metrics'), 'utf8')).trim()
      const response = await fetch(`http://${host}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(METRICS_TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`${host} answered with status ${response.status}`)
      return response.text()
    },
  }))
}

/** Returns the last `LOG_BYTES_MAX` bytes of a file, from the start of a line. */
async function readEnd(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - LOG_BYTES_MAX)
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(size - start),
      position: start,
    })
    const text = buffer.toString('utf8', 0, bytesRead)
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
