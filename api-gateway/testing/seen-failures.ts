import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { listDocumented } from './documented-only.ts'

/** Of one gateway of one file of tests. */
export interface SeenFailures {
  file: string
  documented: readonly string[]
  seen: readonly string[]
}

/** Below the folder that the run's server makes, so that each run has its own. */
export const seenFailuresFile = () => join(tmpdir(), 'seen-failures.jsonl')

/** For `all-failures-seen.ts`, which looks when all tests are over. */
export function recordSeen(seen: ReadonlySet<string>, routes: readonly Route[]): void {
  const file = expect.getState().testPath ?? ''
  const documented = [...listDocumented(routes)]
  const line: SeenFailures = { file, documented, seen: [...seen] }
  appendFileSync(seenFailuresFile(), `${JSON.stringify(line)}\n`)
}
