import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { ignoreMissing, writeDurably } from './durable-files.ts'

/** An entry of the list of deleted people. The list contains no other data about people. */
interface Erasure {
  readonly userId: string
  readonly erasedAt: string
}

const getPath = (backupDir: string) => join(backupDir, 'erasures.json')

/**
 * Copies the list of deleted people into the folder of the backups, unless the copy already
 * contains all deleted people.
 */
export async function copyErasures(
  client: Pick<pg.Pool, 'query'>,
  backupDir: string,
): Promise<void> {
  const known = await readErasures(backupDir)
  const { rows } = await client.query<Erasure>(
    `select user_id as "userId", to_json(erased_at) as "erasedAt" from person_keys.erasure
     where not user_id = any($1)`,
    [known.map(({ userId }) => userId)],
  )
  if (rows.length === 0) return
  await writeDurably(getPath(backupDir), `${JSON.stringify([...known, ...rows], null, 1)}\n`)
}

/**
 * Adds to a restored database the people who were deleted after the restored time. Returns their
 * number.
 */
export async function addErasures(url: string, backupDir: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `insert into person_keys.erasure (user_id, erased_at)
       select "userId", "erasedAt" from json_to_recordset($1)
         as erased("userId" text, "erasedAt" timestamptz)
       on conflict do nothing`,
      [JSON.stringify(await readErasures(backupDir))],
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function readErasures(backupDir: string): Promise<readonly Erasure[]> {
  const text = await ignoreMissing(readFile(getPath(backupDir), 'utf8'))
  // The cast is safe because only `copyErasures` writes this file.
  return text === null ? [] : (JSON.parse(text) as Erasure[])
}
