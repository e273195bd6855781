import type pg from 'pg'
import { SEARCH_PATH } from '../service/database/pool.ts'

export type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * Runs one query of the system catalogs, without parameters, and returns its rows. The query is sent
 * in one message with the search path by which its names are found. Otherwise, views in front of
 * the catalogs could hide a change from it: a trigger on logins can replace the search path of a
 * connection.
 */
export async function readCatalog<Row extends pg.QueryResultRow>(
  client: Queryable,
  query: string,
): Promise<readonly Row[]> {
  const results: unknown = await client.query(`set local search_path = ${SEARCH_PATH}; ${query}`)
  // The cast is safe, because pg returns one result for each of the two statements.
  const [, found] = results as readonly [pg.QueryResult, pg.QueryResult<Row>]
  return found.rows
}
