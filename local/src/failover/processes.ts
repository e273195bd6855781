import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { addDeathSignal } from '../death-signal.ts'
import type { Account } from '../postgres-user.ts'

const STOP_MS = 20_000

/** Starts a process of the cluster. The process ends when this process ends. */
export function startProcess(start: {
  command: readonly [string, ...string[]]
  env?: Readonly<Record<string, string>>
  folder: string
  logFile: string
  account: Account | null
}): ChildProcess {
  const { folder, logFile, account } = start
  const output = openSync(logFile, 'a', 0o600)
  try {
    const [file, ...args] = addDeathSignal('TERM', start.command)
    return spawn(file, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...start.env },
      // The process has its own process group. Ctrl-C therefore reaches only the test, which then
      // stops all processes in order.
      detached: true,
      stdio: ['ignore', output, output],
      ...account,
    })
  } finally {
    closeSync(output)
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = delay(STOP_MS, 'late', { ref: false })
  if ((await Promise.race([ended, late])) !== 'late') return
  child.kill('SIGKILL')
  await ended
}

/** Sends a signal. Returns false if the process does not exist. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Lists the children of a process. */
export function listChildren(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(name) === pid)
    .map(Number)
}

/**
 * Returns the id of the parent process in /proc/PID/stat. The program name in an earlier field may
 * contain spaces.
 */
function readParent(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}
