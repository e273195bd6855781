import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { NO_PASSWORD } from '../users/index.ts'
import type { Approver } from './state.ts'

/** The persons as approvers; a person who does not exist is not active. */
export async function findApprovers(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Approver>> {
  const rows = await db
    .selectFrom('identity.user')
    .select(['id', 'role', 'status', 'approver_since'])
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
  return new Map(
    rows.map(({ id, role, status, approver_since }) => [
      id,
      {
        id,
        isActive: role === 'admin' && status === 'active',
        sinceMs: approver_since?.getTime() ?? null,
      },
    ]),
  )
}

export function approverOf(known: ReadonlyMap<string, Approver>, id: string): Approver {
  return known.get(id) ?? { id, isActive: false, sinceMs: null }
}

/** The administrators who may decide, except those who are excluded. */
export async function listDeciders(
  db: Database,
  excluded: ReadonlySet<string>,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('password_hash', '<>', NO_PASSWORD)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id).filter((id) => !excluded.has(id))
}

/** The beneficiaries and the persons who referred them. */
export async function addReferrers(
  db: Database,
  beneficiaries: readonly string[],
): Promise<ReadonlySet<string>> {
  if (beneficiaries.length === 0) return new Set()
  const rows = await db
    .selectFrom('identity.user')
    .select('referrer_id')
    .where(sql<boolean>`id = any(${beneficiaries})`)
    .where('referrer_id', 'is not', null)
    .execute()
  return new Set([...beneficiaries, ...rows.flatMap(({ referrer_id }) => referrer_id ?? [])])
}
