import pg from 'pg'

interface Baseline {
  pool: pg.Pool
  /**
   * Checks that all entries add up to zero and that each balance equals the sum of its entries.
   * Then disconnects.
   */
  close(): Promise<void>
}

/**
 * Creates the schema of a baseline, its accounts with the ids from 0 on, and what `definitions`
 * adds to the schema. The definitions must contain a table `entry` with `account_id` and `amount`.
 */
export async function openBaseline(
  url: string,
  baseline: { schema: string; definitions: string; accounts: number; clients: number },
): Promise<Baseline> {
  const { schema, definitions, accounts, clients } = baseline
  const pool = new pg.Pool({ connectionString: url, max: clients })
  await pool.query(
    `create schema ${schema};
     create table ${schema}.account (
       id bigint primary key,
       balance bigint not null,
       floor bigint,
       check (floor is null or balance >= floor)
     ) with (fillfactor = 50);
     ${definitions}`,
  )
  await pool.query(
    `insert into ${schema}.account
     select id, 0, null from generate_series(0, $1::bigint - 1) as id`,
    [accounts],
  )
  await pool.query(`vacuum analyze ${schema}.account`)
  return {
    pool,
    close: async () => {
      const { rows } = await pool.query<{ total: string; wrong: string }>(
        `select (select coalesce(sum(amount), 0) from ${schema}.entry)::text as total,
           (select count(*) from ${schema}.account as account
            where balance <> coalesce((select sum(amount) from ${schema}.entry as entry
              where entry.account_id = account.id), 0))::text as wrong`,
      )
      await pool.end()
      const [found] = rows
      if (found?.total !== '0' || found.wrong !== '0')
        throw new Error(`the baseline ${schema} has wrong balances: ${JSON.stringify(found)}`)
    },
  }
}
