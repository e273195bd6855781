import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import type { LoginRole } from '../secrets.ts'
import { JOB_SCHEMAS } from './copy-tables.ts'

type JobSchema = (typeof JOB_SCHEMAS)[number]
/** The version of the tables in each schema of jobs; null if no worker has created them yet. */
export type JobTableVersions = Readonly<Record<string, number | null>>

const OWNERS: Readonly<Record<JobSchema, LoginRole>> = {
  ledger_jobs: 'cairn_ledger_worker',
  platform_jobs: 'cairn_gateway_worker',
}
/** `getConstructionPlans` ends with the statement that stores the version of its tables. */
const OWN_VERSION = Number(
  /INSERT INTO \S+version\(version\) VALUES \('(\d+)'\)/.exec(getConstructionPlans('x'))?.[1],
)

export async function readJobTableVersions(client: pg.Client): Promise<JobTableVersions> {
  const pairs: [string, number | null][] = []
  for (const schema of JOB_SCHEMAS) {
    const table = `${schema}.version`
    const { rows } = await client.query('select to_regclass($1) is not null as "isThere"', [table])
    const found = rows[0].isThere ? await client.query(`select version from ${table}`) : null
    pairs.push([schema, found?.rows[0]?.version ?? null])
  }
  return Object.fromEntries(pairs)
}

/** Throws if the workers of this version keep their jobs in other tables. */
export function requireKnownJobTables(versions: JobTableVersions): void {
  const other = Object.values(versions).find((found) => found !== null && found !== OWN_VERSION)
  if (other === undefined) return
  throw new Error(
    `its job tables have version ${other}, and this version has ${OWN_VERSION}: ` +
      'use the version of Cairn that wrote it',
  )
}

/** Creates empty tables of jobs, as the workers do at their first start. */
export async function createJobTables(
  versions: JobTableVersions,
  urlFor: (role: LoginRole) => string,
): Promise<void> {
  for (const schema of JOB_SCHEMAS) {
    if (versions[schema] === null || versions[schema] === undefined) continue
    const client = new pg.Client({ connectionString: urlFor(OWNERS[schema]) })
    await client.connect()
    try {
      await client.query(getConstructionPlans(schema, { createSchema: false }))
    } finally {
      await client.end()
    }
  }
}
