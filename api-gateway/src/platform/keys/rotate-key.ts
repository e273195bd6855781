import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Database } from '../database/database.ts'
import { createKeyRing, type KeySource, parseKeys, REREAD_MS } from './key-ring.ts'
import { createFactorSeal, createOutboxSeal, type Seal } from './seal.ts'

export const KEY_NAMES = ['session', 'factor', 'outbox'] as const
export type RotatedKey = (typeof KEY_NAMES)[number]

const SECRET_BYTES = 32
const ROWS_AT_ONCE = 20

/**
 * Puts a new secret first in the file. The previous first secret stays valid, and an older secret
 * is removed. Running processes read the file within a second. The function then seals all rows
 * with the new secret, and returns the number of these rows.
 */
export async function rotateKey(
  db: Database,
  { name, source }: { name: RotatedKey; source: KeySource | null },
): Promise<number> {
  if (source === null || 'value' in source) {
    throw new Error(
      'This key is not read from a file. Set its environment variable to the new and the old secret, ' +
        'separated by a comma, and restart.',
    )
  }
  const [current] = parseKeys(await readFile(source.file, 'utf8'))
  if (current === undefined) throw new Error(`${source.file} contains no key`)
  const fresh = randomBytes(SECRET_BYTES).toString('base64url')
  await replaceFile(source.file, `${fresh},${current.secret}`)
  // Until a running process has read the file again, it seals new rows with the previous secret.
  await new Promise((resolve) => setTimeout(resolve, 2 * REREAD_MS))
  return await resealKey(db, { name, source })
}

/**
 * Seals all rows with the first secret, and returns the number of rows that the second secret
 * sealed. Used after a key was replaced in the place that its file is copied from.
 */
export async function resealKey(
  db: Database,
  { name, source }: { name: RotatedKey; source: KeySource | null },
): Promise<number> {
  if (source === null) throw new Error(`Set the variable of the ${name} key`)
  const ring = createKeyRing(source)
  if (name === 'factor') return await resealFactors(db, createFactorSeal(ring))
  return name === 'outbox' ? await resealOutbox(db, createOutboxSeal(ring)) : 0
}

/** Writes a complete file and renames it, so that no process reads an incomplete file. */
async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.next`
  try {
    await writeFile(next, text, { mode: 0o600 })
    await rename(next, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(
      `${file} cannot be replaced (${code}). If it is a secret of systemd, Kubernetes or Compose, ` +
        'set that secret to the new and the old one, separated by a comma, then run reseal-key.',
      { cause: error },
    )
  }
}

async function resealFactors(db: Database, seal: Seal): Promise<number> {
  const rows = await db.selectFrom('identity.totp').select(['user_id', 'sealed']).execute()
  return await resealRows(rows, seal, async (row, sealed) => {
    await db
      .updateTable('identity.totp')
      .set({ sealed })
      .where('user_id', '=', row.user_id)
      // No row matches if a concurrent set-up has stored another secret.
      .where('sealed', '=', row.sealed)
      .execute()
  })
}

async function resealOutbox(db: Database, seal: Seal): Promise<number> {
  const rows = await db
    .selectFrom('identity.outbox')
    .select(['id', 'sealed'])
    .where('sealed', 'is not', null)
    .execute()
  const waiting = rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [{ id, sealed }]))
  return await resealRows(waiting, seal, async (row, sealed) => {
    await db
      .updateTable('identity.outbox')
      .set({ sealed })
      .where('id', '=', row.id)
      // No row matches if the mail was sent after the row was read, because its content is then
      // deleted.
      .where('sealed', '=', row.sealed)
      .execute()
  })
}

async function resealRows<Row extends { sealed: Buffer }>(
  rows: readonly Row[],
  seal: Seal,
  store: (row: Row, sealed: Buffer) => Promise<void>,
): Promise<number> {
  const old = rows.filter(({ sealed }) => !seal.isCurrent(sealed))
  for (let start = 0; start < old.length; start += ROWS_AT_ONCE) {
    const page = old.slice(start, start + ROWS_AT_ONCE)
    await Promise.all(page.map((row) => store(row, seal.seal(seal.open(row.sealed)))))
  }
  return old.length
}
