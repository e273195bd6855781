import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/**
 * Returns a function that compiles the query at its first call and later only binds new values.
 * `write` must always build the same query and must not change its values.
 */
export function compileQueryOnce<Values extends readonly unknown[], Row>(
  write: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<readonly Row[]> {
  let known: { query: CompiledQuery<Row>; takes: readonly ((values: Values) => unknown)[] } | null =
    null

  function compileQuery(db: Database, count: number) {
    const marks = Array.from({ length: count }, (_, index) => Symbol(index))
    // Markers replace the values, so that their positions among the parameters can be found.
    const query = write(db, ...(marks as unknown as Values)).compile()
    const takes = query.parameters.map((parameter) => {
      const place = marks.indexOf(parameter as symbol)
      return place < 0 ? () => parameter : (values: Values) => values[place]
    })
    return { query, takes }
  }

  return async (db, ...values) => {
    known ??= compileQuery(db, values.length)
    const parameters = known.takes.map((take) => take(values))
    const { rows } = await db.executeQuery<Row>({ ...known.query, parameters })
    return rows
  }
}
