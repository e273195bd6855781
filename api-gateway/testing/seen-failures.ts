import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { listDocumentedFailures } from './documented-only.ts'

/**
 * The failures that one gateway of a test file documents, and the failures that it has returned.
 */
export interface SeenFailures {
  file: string
  documented: readonly string[]
  seen: readonly string[]
}

/** Returns the path of the file for the seen failures, in the temporary folder of the test run. */
export const getSeenFailuresFile = () => join(tmpdir(), 'seen-failures.jsonl')

/** Stores the seen failures for `all-failures-seen.ts`, which reads them after all tests. */
export function recordSeenFailures(seen: ReadonlySet<string>, routes: readonly Route[]): void {
  const file = expect.getState().testPath ?? ''
  const documented = [...listDocumentedFailures(routes)]
  const line: SeenFailures = { file, documented, seen: [...seen] }
  appendFileSync(getSeenFailuresFile(), `${JSON.stringify(line)}\n`)
}
