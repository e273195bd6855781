import { spawnSync } from 'node:child_process'

let supported: boolean | null = null

/** On Linux: wraps a program so that it receives this signal when its parent dies. */
export function withDeathSignal(
  signal: 'TERM' | 'INT',
  [program, ...args]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  supported ??= isSupported()
  // setpriv executes the program in place, so the child's process id stays the same.
  return supported ? ['setpriv', '--pdeathsig', signal, program, ...args] : [program, ...args]
}

function isSupported(): boolean {
  if (process.platform !== 'linux') return false
  return spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
}
