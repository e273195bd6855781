import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SCALE = '100'
const CLIENT_COUNTS = [8, 20, 64]
const TRIAL_SECONDS = 2
const DEBIAN_FOLDER = '/usr/lib/postgresql'
const REMEDY = 'pgbench is missing: apt-get install postgresql-contrib, or put it on the PATH'

export interface Pgbench {
  /** The number of clients with which pgbench reached the highest rate. */
  clients: number
  /** Returns the number of transactions per second. */
  rate(seconds: number): Promise<number>
}

/** Initializes a new database for pgbench. `rate` runs the load with the best number of clients. */
export async function openPgbench(url: string): Promise<Pgbench> {
  const file = await findPgbench()
  const { hostname, port, username, password, pathname } = new URL(url)
  const place = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password) }
  await run(file, ['-i', '-q', '-s', SCALE, ...place], { env })
  async function measureRateWith(clients: number, seconds: number): Promise<number> {
    const load = ['-b', 'tpcb-like', '-c', String(clients), '-j', '2', '-M', 'prepared']
    const whole = String(Math.max(1, Math.round(seconds)))
    const { stdout } = await run(file, [...load, '-T', whole, ...place], { env })
    const found = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (found === undefined) throw new Error(`pgbench printed no tps: ${stdout}`)
    return Number(found)
  }
  let best = { clients: 0, perSecond: 0 }
  for (const clients of CLIENT_COUNTS) {
    const perSecond = await measureRateWith(clients, TRIAL_SECONDS)
    if (perSecond > best.perSecond) best = { clients, perSecond }
  }
  const { clients } = best
  return { clients, rate: (seconds) => measureRateWith(clients, seconds) }
}

async function findPgbench(): Promise<string> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => [])
  const debian = versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...debian.reverse()]) {
    const file = join(folder, 'pgbench')
    const isThere = await access(file).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  throw new Error(REMEDY)
}
