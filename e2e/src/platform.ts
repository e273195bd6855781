import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@cairn/local/free-port'

const ROOT = resolve(import.meta.dirname, '..', '..')
const READY_MS = 300_000
const OUTPUT_SHOWN = 8_000

/** A running platform that this or another process of the test run has started. */
export interface TestPlatform {
  readonly url: string
  readonly mailUrl: string
  readonly dataDir: string
  readonly databasePort: number
  /** Moves the clock of all processes of the platform forward. */
  moveClock(ms: number): Promise<void>
  /** Returns the platform's time, in milliseconds since 1970. */
  now(): Promise<number>
}

/** A platform that was started in the same way as by `npm start`, with its own folder and ports. */
export interface Platform extends TestPlatform {
  readonly output: () => string
  /** Interrupts the platform like Ctrl-C. Returns the duration of its shutdown. */
  interrupt(): Promise<{ tookMs: number; exitCode: number | null }>
  /** Starts the platform again with the same ports, and the same data or those in the folder. */
  startAgain(dataDir?: string): Promise<Platform>
  remove(): Promise<void>
}

interface Place {
  readonly demo: '0' | '1'
  readonly dataDir: string
  readonly port: number
  readonly mailPort: number
  readonly mailUiPort: number
  readonly backupDir: string
}

/**
 * Starts a platform with demo data, or an empty platform. With `backupDir`, the platform archives
 * its database into that folder.
 */
export async function startPlatform({
  demo = '1',
  backupDir = '',
}: Partial<Pick<Place, 'demo' | 'backupDir'>> = {}): Promise<Platform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-e2e-'))
  const [port, mailPort, mailUiPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  await writeFile(join(dataDir, 'clock'), '0')
  return launchPlatform({ demo, dataDir, port, mailPort, mailUiPort, backupDir })
}

/** Creates a handle of a running platform that this or another process has started. */
export function createPlatformHandle(
  known: Pick<TestPlatform, 'url' | 'mailUrl' | 'dataDir' | 'databasePort'>,
): TestPlatform {
  const clockFile = join(known.dataDir, 'clock')
  const readMovedMs = async () => Number(await readFile(clockFile, 'utf8'))
  return {
    ...known,
    now: async () => Date.now() + (await readMovedMs()),
    moveClock: async (ms) => writeFile(clockFile, String((await readMovedMs()) + ms)),
  }
}

async function launchPlatform(place: Place): Promise<Platform> {
  const { demo, dataDir, port, mailPort, mailUiPort } = place
  const clockFile = join(dataDir, 'clock')
  let output = ''
  const child = spawn(process.execPath, [join(ROOT, 'local/src/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'test',
      CAIRN_CLOCK_FILE: clockFile,
      DATA_DIR: dataDir,
      BACKUP_DIR: place.backupDir,
      DEMO: demo,
      PORT: String(port),
      MAIL_PORT: String(mailPort),
      MAIL_UI_PORT: String(mailUiPort),
      RATE_LIMIT_SCALE: '20',
    },
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  // The output of the platform shows why the platform ended. The failed test shows only a
  // consequence, so this function prints the output.
  const reportUnexpectedEnd = (code: number | null) => {
    process.stderr.write(
      `the platform ended unexpectedly with ${code}:\n${output.slice(-OUTPUT_SHOWN)}`,
    )
  }
  child.once('exit', reportUnexpectedEnd)
  const sendInterrupt = () => {
    child.off('exit', reportUnexpectedEnd)
    child.kill('SIGINT')
  }
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady({ child, url, output: () => output })

  const mailUrl = `http://127.0.0.1:${mailUiPort}`
  const databasePort = Number(/PostgreSQL on 127\.0\.0\.1:(\d+)/.exec(output)?.[1])
  return {
    ...createPlatformHandle({ url, mailUrl, dataDir, databasePort }),
    output: () => output,
    interrupt: async () => {
      const began = Date.now()
      const ended = once(child, 'exit')
      sendInterrupt()
      const [exitCode] = await ended
      return { tookMs: Date.now() - began, exitCode }
    },
    startAgain: (other = dataDir) => launchPlatform({ ...place, dataDir: other }),
    remove: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        sendInterrupt()
        await once(child, 'exit')
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(start: {
  child: ChildProcess
  url: string
  output: () => string
}): Promise<void> {
  const { child, url, output } = start
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the platform ended:\n${output()}`)
    const isReady = await fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
    // The platform prints this line after the demo data is loaded and the workers have started.
    if (isReady && output().includes('Ctrl-C')) return
    await delay(200)
  }
  child.kill('SIGINT')
  throw new Error(`the platform was not ready in ${READY_MS} ms:\n${output()}`)
}
