import { parseFact, type RecordedEvent } from '@cairn/ledger-contracts'
import { rulesTable } from '../../src/domain/rules/money-rules.ts'
import { getInsertOnly, type Table } from '../../src/log/table.ts'
import { createCache, type View } from '../../src/log/view.ts'
import { model } from './model.ts'

/** Computes all projections from the events of the log. */
export interface FoldedBooks {
  readonly view: View
  add(event: RecordedEvent): void
  rows(table: Table): readonly object[]
}

export function createFoldedBooks(): FoldedBooks {
  const cache = createCache(model)
  const peek: View['peek'] = (table, key) => cache.peek(table, key) ?? null
  const view: View = { peek, put: cache.put, find: (table, key) => cache.peek(table, key) ?? null }
  cache.load(rulesTable, '', null)
  return {
    view,
    rows: (table) => cache.getChanges().get(getInsertOnly(table)) ?? [],
    add: ({ seq, type, data, actor, postings, recordedAt, effectiveAt, control }) => {
      const recordedAtMs = Date.parse(recordedAt)
      const effectiveAtMs = Date.parse(effectiveAt)
      const fact = parseFact(type, data)
      model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }, view)
    },
  }
}
