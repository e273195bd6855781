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
 * the connection is open. `keys` says that the instance opens a new signing key while it runs.
 */
export function formatInstanceName({
  ledgers,
  version,
  address,
  isLeaving = false,
}: Instance & { ledgers: number; isLeaving?: boolean }): string {
  const role = isLeaving ? 'leaving' : 'lock'
  return `ledgers-${ledgers}-${role}-keys ${version} ${address}`.slice(0, NAME_CHARACTERS_MAX)
}

export interface ConnectedInstance extends Instance {
  /** The instance serves the ledgers with these numbers and the numbers in between. */
  readonly firstLedger: number
  readonly lastLedger: number
  /** True if the instance stops and takes no more ledgers. */
  readonly isLeaving: boolean
  /** False if the instance signs with the key of its start until it ends, as release 0.9.0 does. */
  readonly opensNewKeys: boolean
}

/**
 * Lists the instances that are connected. Instances of release 0.1.0 have one connection for each
 * ledger, with the name `ledger-N-lock`.
 */
export async function listConnectedInstances(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<readonly ConnectedInstance[]> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where application_name ~ '^ledgers?-[0-9]+-(lock|leaving)' and datname = current_database()
     order by backend_start`,
  )
  return rows.map(({ name }) => parseInstanceName(name))
}

export function parseInstanceName(name: string): ConnectedInstance {
  const [prefix = '', version = '', address = ''] = name.split(' ')
  const [kind, number, role, mark] = prefix.split('-')
  const lastLedger = Number(number)
  const firstLedger = kind === 'ledgers' ? 1 : lastLedger
  const isLeaving = role === 'leaving'
  const opensNewKeys = mark === 'keys'
  return { version: Number(version), address, firstLedger, lastLedger, isLeaving, opensNewKeys }
}

/** Lists the connected instances of a ledger, including instances that are not active. */
export async function listInstances(
  client: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<readonly Instance[]> {
  return (await listConnectedInstances(client))
    .filter((instance) => servesLedger(instance, ledger))
    .map(({ version, address }) => ({ version, address }))
}

export function servesLedger(
  { firstLedger, lastLedger }: ConnectedInstance,
  ledger: number,
): boolean {
  return firstLedger <= ledger && ledger <= lastLedger
}
