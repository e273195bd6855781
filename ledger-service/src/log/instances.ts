import type pg from 'pg'

/** An instance of the ledger service that is connected to the database. */
export interface Instance {
  /**
   * The newest version of the rules that the instance knows; 0 if the instance has named no
   * version.
   */
  readonly version: number
  /** The URL of the instance. PostgreSQL can cut off the end of a long URL. */
  readonly address: string
}

/** PostgreSQL truncates application names that are longer. */
const NAME_CHARACTERS_MAX = 63

/**
 * Returns the name of the database connection that an instance uses for the election of its ledgers,
 * which have the numbers from 1 to `ledgers`. Other instances find this instance by the name while
 * the connection is open.
 */
export function formatInstanceName({
  ledgers,
  version,
  address,
}: Instance & { ledgers: number }): string {
  return `ledgers-${ledgers}-lock ${version} ${address}`.slice(0, NAME_CHARACTERS_MAX)
}

/**
 * Lists the instances of a ledger that are connected, including instances that are not active.
 * Instances of release 0.1.0 have one connection for each ledger, with the name `ledger-N-lock`.
 */
export async function listInstances(
  client: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<readonly Instance[]> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where application_name ~ '^ledgers?-[0-9]+-lock' and datname = current_database()
     order by backend_start`,
  )
  return rows.flatMap(({ name }) => {
    const [prefix = '', version = '', address = ''] = name.split(' ')
    const [kind, number] = prefix.split('-')
    const serves = kind === 'ledgers' ? ledger <= Number(number) : ledger === Number(number)
    return serves ? [{ version: Number(version), address }] : []
  })
}
