import { expect, test } from 'vitest'
import './metered-store.ts'
import { renderMetrics } from './metrics.ts'

test('each outcome of a commit has a series before its first commit', async () => {
  const text = await renderMetrics()
  for (const outcome of ['written', 'fenced', 'clock', 'conflict', 'failed']) {
    expect(text).toContain(`cairn_ledger_commit_seconds_count{outcome="${outcome}"} `)
  }
})
