import { spawnSync } from 'node:child_process'

let supported: boolean | null = null

/** On Linux: a program that gets this signal when its starter dies, however suddenly. */
export function withDeathSignal(
  signal: 'TERM' | 'INT',
  [program, ...args]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  supported ??= isSupported()
  // setpriv replaces itself by the program, so the child's id stays the program's id.
  return supported ? ['setpriv', '--pdeathsig', signal, program, ...args] : [program, ...args]
}

function isSupported(): boolean {
  if (process.platform !== 'linux') return false
  return spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0
}
