import { spawn } from 'node:child_process'
import { findAccount } from '../postgres-user.ts'

/** PostgreSQL 18 needs pgBackRest 2.55. For 16 and 17, pgBackRest itself says that it is too old. */
const MINOR_FOR_18 = 55

/** The lines that pgBackRest writes if a command succeeds. */
export interface Answer {
  readonly output: string
  readonly warnings: readonly string[]
}

/**
 * Runs pgBackRest, as root with the user of PostgreSQL. Its files must belong to the server. Throws
 * an error with the reason that pgBackRest gives.
 */
export async function runPgBackRest(
  command: string,
  { stanza, options = [] }: { stanza: string; options?: readonly string[] },
): Promise<Answer> {
  const shared = [`--stanza=${stanza}`, '--log-level-console=off', '--log-level-stderr=warn']
  const args = command === 'version' ? [] : [...shared, ...options]
  const { code, output, errors } = await runProgram([...args, command])
  if (code !== 0) throw new Error(explainFailure(command, errors))
  return {
    output,
    warnings: [...errors.matchAll(/^.*?WARN: (.+)$/gm)].map(([, text = '']) => text),
  }
}

function runProgram(
  args: readonly string[],
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn('pgbackrest', args, {
    // The folder of this process may be closed to the user of PostgreSQL.
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...findAccount(),
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      reject(
        isMissing
          ? new Error(
              'pgBackRest is not installed here: install it (Debian: apt-get install pgbackrest)',
            )
          : error,
      )
    })
    child.once('close', (code) => resolve({ code, output, errors }))
  })
}

/** Returns the first reason and the hints that pgBackRest has printed. */
export function explainFailure(command: string, errors: string): string {
  const reason = findReason(errors) ?? errors.trim().split('\n').at(-1)
  const hints = [...errors.matchAll(/^\s+HINT: (.+)$/gm)].map(([, hint]) => hint)
  const advice = hints.length === 0 ? '' : ` (${hints.join('; ')})`
  return `pgbackrest ${command} failed: ${reason || 'it printed no reason'}${advice}`
}

/** Returns the first error of pgBackRest in a text, which can be a log of PostgreSQL; null for none. */
export function findReason(text: string): string | null {
  // A line that ends with a colon continues on the next one.
  const reason = /ERROR: \[\d+\]: (.+(?<=:)\n.+|.+)/.exec(text)?.[1]
  return reason?.replace(/\s+/g, ' ') ?? null
}

/** Throws unless this pgBackRest supports the version of the server. */
export function requireSupport(versionText: string, postgresVersion: number): void {
  const [, major = '', minor = ''] = /pgBackRest (\d+)\.(\d+)/.exec(versionText) ?? []
  const isOld = Number(major) < 2 || (Number(major) === 2 && Number(minor) < MINOR_FOR_18)
  if (postgresVersion < 18 || !isOld) return
  throw new Error(
    `pgBackRest ${major}.${minor} does not support PostgreSQL ${postgresVersion}, which needs 2.${MINOR_FOR_18}: ` +
      'install a newer pgBackRest (Debian: from apt.postgresql.org)',
  )
}
