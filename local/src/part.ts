import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDeathSignal } from './death-signal.ts'
import { ROOT } from './environment.ts'

const RESTARTS_MAX = 5
const STEADY_MS = 60_000
const FIRST_DELAY_MS = 500
const TAIL_LINES = 15

export interface PartOptions {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly log: (line: string) => void
  readonly onStarted: (pid: number) => void
  /**
   * The platform calls this function when the process has ended too often. The process is then not
   * restarted any more.
   */
  readonly onGivenUp: (error: Error) => void
}

/**
 * One process of the platform, in its own process group. It is restarted when it ends unexpectedly.
 */
export interface Part {
  readonly name: string
  getPid(): number | undefined
  stop(timeoutMs: number): Promise<void>
}

export function startPart(options: PartOptions): Part {
  const { name, log } = options
  let stopping = false
  let deaths = 0
  let child = run()

  function run(): ChildProcess {
    const startedAt = Date.now()
    const started = spawnPart(options)
    if (started.pid !== undefined) options.onStarted(started.pid)
    started.once('exit', (code, signal) => {
      if (stopping) return
      deaths = Date.now() - startedAt > STEADY_MS ? 1 : deaths + 1
      void restartOrGiveUp(signal ?? `code ${code}`)
    })
    return started
  }

  async function restartOrGiveUp(how: string): Promise<void> {
    if (deaths > RESTARTS_MAX) {
      const tail = await readLastLines(options.logFile)
      const text = `${name} ended (${how}) ${deaths} times; its log is ${options.logFile}\n${tail}`
      options.onGivenUp(new Error(text))
      return
    }
    const delayMs = FIRST_DELAY_MS * 2 ** (deaths - 1)
    log(`${name} ended (${how}); restarting in ${delayMs / 1000} s`)
    await sleep(delayMs, undefined, { ref: false })
    if (!stopping) child = run()
  }

  return {
    name,
    getPid: () => child.pid,
    stop: async (timeoutMs) => {
      stopping = true
      await stopGroup(child, timeoutMs)
    },
  }
}

/** Starts a Node program in its own process group. Its output is appended to the log file. */
export function spawnPart(
  options: Pick<PartOptions, 'args' | 'logFile'> & { env: NodeJS.ProcessEnv },
): ChildProcess {
  const output = openSync(options.logFile, 'a', 0o600)
  try {
    const [file, ...args] = addDeathSignal('TERM', [process.execPath, ...options.args])
    return spawn(file, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', ...options.env },
      detached: true,
      stdio: ['ignore', output, output],
    })
  } finally {
    closeSync(output)
  }
}

export async function stopGroup(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  signalGroup(child.pid, 'SIGTERM')
  const late = sleep(timeoutMs, 'late', { ref: false })
  if ((await Promise.race([ended, late])) === 'late') {
    signalGroup(child.pid, 'SIGKILL')
    await ended
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The process has already ended.
  }
}

async function readLastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}
