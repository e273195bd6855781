import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/**
 * A query of a hot path. It is compiled at the first call; later calls only bind values. `write`
 * must pass its values on unchanged and must always build the same query.
 */
export function compileOnce<Values extends readonly unknown[], Row>(
  write: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<readonly Row[]> {
  let known: { query: CompiledQuery<Row>; takes: readonly ((values: Values) => unknown)[] } | null =
    null

  function compile(db: Database, count: number) {
    const marks = Array.from({ length: count }, (_, index) => Symbol(index))
    // Markers take the place of the values while the query is built, and are then found among its
    // parameters.
    const query = write(db, ...(marks as unknown as Values)).compile()
    const takes = query.parameters.map((parameter) => {
      const place = marks.indexOf(parameter as symbol)
      return place < 0 ? () => parameter : (values: Values) => values[place]
    })
    return { query, takes }
  }

  return async (db, ...values) => {
    known ??= compile(db, values.length)
    const parameters = known.takes.map((take) => take(values))
    const { rows } = await db.executeQuery<Row>({ ...known.query, parameters })
    return rows
  }
}
