import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/**
 * A query of the hottest paths: written and compiled when it is first asked, and only given its values
 * from then on. `write` must pass its values on as they are, and always write the same query.
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  write: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<readonly Row[]> {
  let known: { query: CompiledQuery<Row>; takes: readonly ((values: Values) => unknown)[] } | null =
    null

  function compile(db: Database, count: number) {
    const marks = Array.from({ length: count }, (_, index) => Symbol(index))
    // They stand in for values while the query is written, and are found again in what comes of it.
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
