import { model } from '../../src/domain/model.ts'
import { type BatchStatement, createBatchStatement } from '../../src/log/statement.ts'
import { logTables } from '../../src/log/tables.ts'

const fenced = createBatchStatement([...logTables, ...model.tables])

/**
 * Sabotaged twin: the batch statement does not check which writer owns the log, so two writers can
 * write at the same time.
 */
export const createUnfencedStatement: BatchStatement = (rows) => (move, options) => {
  const written = fenced(rows)(move, options)
  const text = written.text
    .replace(
      'and size = $2 and fencing_token = $7 and root = $8',
      'and $2::bigint is not null and $7::bigint is not null and $8::bytea is not null',
    )
    .replaceAll(
      /(from head, unnest\([^()]*\) as added\([^()]*\))\s+\)/g,
      '$1 on conflict do nothing)',
    )
  return { ...written, text }
}
