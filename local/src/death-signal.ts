import { spawnSync } from 'node:child_process'

let supported: boolean | null = null

/**
 * Returns the command, extended on Linux so that the program receives the signal when its parent
 * dies.
 */
export function addDeathSignal(
  signal: 'TERM' | 'INT',
  [program, ...args]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  supported ??= isSupported()
  // `setpriv` execs the program, so the process id stays the same.
  return supported ? ['setpriv', '--pdeathsig', signal, program, ...args] : [program, ...args]
}

function isSupported(): boolean {
  if (process.platform !== 'linux') return false
  return spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
}
