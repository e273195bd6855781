import { KEY_ROTATION_DAYS, type QueryResponse } from '@cairn/ledger-contracts'
import { formatVerifierKey } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { findNewestKey, listVerifierKeys } from '../../proofs/log-keys.ts'
import { formatInstant } from '../../service/database/filter.ts'

const DAY_MS = 86_400_000

/**
 * Returns the key that signs the log, and the permission to replace this key. The permission is
 * null if no replacement was permitted.
 */
export async function findKeyRotation(
  client: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<QueryResponse<'signingKey'>> {
  const key = findNewestKey(await listVerifierKeys(client, ledger))
  if (key === null) return { verifierKey: null, permission: null }
  const verifierKey = formatVerifierKey(key)
  const { rows } = await client.query<{ permitted_at: number }>(
    'select permitted_at from ledger.key_rotation where ledger_id = $1 and verifier_key = $2',
    [ledger, verifierKey],
  )
  const [permitted] = rows
  if (permitted === undefined) return { verifierKey, permission: null }
  const permittedAt = formatInstant(permitted.permitted_at)
  const until = formatInstant(permitted.permitted_at + KEY_ROTATION_DAYS * DAY_MS)
  return { verifierKey, permission: { permittedAt, until } }
}
