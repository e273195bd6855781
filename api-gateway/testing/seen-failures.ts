import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { listDocumented } from './documented-only.ts'

/** The failures that one gateway of one test file has returned. */
export interface SeenFailures {
  file: string
  documented: readonly string[]
  seen: readonly string[]
}

/** Inside the temporary folder of the run, so that each run has its own file. */
export const seenFailuresFile = () => join(tmpdir(), 'seen-failures.jsonl')

/** For `all-failures-seen.ts`, which reads them after all tests. */
export function recordSeen(seen: ReadonlySet<string>, routes: readonly Route[]): void {
  const file = expect.getState().testPath ?? ''
  const documented = [...listDocumented(routes)]
  const line: SeenFailures = { file, documented, seen: [...seen] }
  appendFileSync(seenFailuresFile(), `${JSON.stringify(line)}\n`)
}
