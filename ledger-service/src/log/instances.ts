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
 * Returns the name of the database connection that an instance uses for the election. Other
 * instances find this instance by the name while the connection is open.
 */
export function formatInstanceName({
  ledger,
  version,
  address,
}: Instance & { ledger: number }): string {
  return `${formatPrefix(ledger)} ${version} ${address}`.slice(0, NAME_CHARACTERS_MAX)
}

/** Lists the instances that are connected, including instances that are not active. */
export async function listInstances(
  client: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<readonly Instance[]> {
  const prefix = formatPrefix(ledger)
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where starts_with(application_name, $1) and datname = current_database()
     order by backend_start`,
    [prefix],
  )
  return rows.map(({ name }) => {
    const [version = '', address = ''] = name.slice(prefix.length + 1).split(' ')
    return { version: Number(version), address }
  })
}

function formatPrefix(ledger: number): string {
  return `ledger-${ledger}-lock`
}
