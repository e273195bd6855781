import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { NOT_PROVOKED } from './not-provoked.ts'
import { getSeenFailuresFile, type SeenFailures } from './seen-failures.ts'

const ROOT = resolve(import.meta.dirname, '..')
const STARTS_A_GATEWAY = /startTestGateway|startScene/

/**
 * Returns the teardown of the test run. The teardown reports each documented failure that no test
 * has seen and that `not-provoked.ts` does not list. If only some tests were run, the teardown does
 * nothing.
 */
export function setup(): () => void {
  return () => {
    const lines = readLines()
    if (!isWholeRun(lines.map(({ file }) => file))) return
    const missing = findUnseenFailures(lines, NOT_PROVOKED)
    if (missing.length === 0) return
    // The teardown sets the exit code, because an exception would skip all other teardowns.
    console.error(`documented, and seen in no test:\n${missing.join('\n')}`)
    process.exitCode = 1
  }
}

export function findUnseenFailures(
  lines: readonly SeenFailures[],
  excuses: ReadonlyMap<string, string>,
): readonly string[] {
  const seen = new Set(lines.flatMap((line) => line.seen))
  const documented = new Set(lines.flatMap((line) => line.documented))
  const excused = [...excuses.keys()]
  return [
    ...[...documented].filter((failure) => !seen.has(failure) && !excuses.has(failure)),
    ...excused
      .filter((one) => !documented.has(one))
      .map((one) => `${one} (excused, and not documented)`),
    ...excused.filter((one) => seen.has(one)).map((one) => `${one} (excused, and seen)`),
  ].toSorted()
}

function readLines(): readonly SeenFailures[] {
  try {
    const text = readFileSync(getSeenFailuresFile(), 'utf8')
    // The cast is safe because `recordSeenFailures` has written the lines in this format.
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SeenFailures)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function isWholeRun(seen: readonly string[]): boolean {
  const files = globSync('**/*.db.test.ts', { cwd: ROOT }).map((name) => resolve(ROOT, name))
  return files
    .filter((file) => STARTS_A_GATEWAY.test(readFileSync(file, 'utf8')))
    .every((file) => seen.includes(file))
}
