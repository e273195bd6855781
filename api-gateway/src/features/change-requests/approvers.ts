import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { NO_PASSWORD, readControls } from '../users/index.ts'
import type { Approver } from './state.ts'

/** The database may be a transaction. */
export interface ApproverSource {
  db: Database
  ledger: Dependencies['ledger']
}

/** The persons as approvers: active administrators of the gateway whom the ledger knows. */
export async function findApprovers(
  { db, ledger }: ApproverSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Approver>> {
  const [rows, { approvers }] = await Promise.all([
    db
      .selectFrom('identity.user')
      .select(['id', 'role', 'status'])
      .where(sql<boolean>`id = any(${ids})`)
      .execute(),
    readControls({ ledger }),
  ])
  const known = new Map(approvers.map((approver) => [approver.approverId, approver]))
  return new Map(
    rows.map(({ id, role, status }) => {
      const approver = known.get(id)
      const isActive = role === 'admin' && status === 'active' && approver?.isActive === true
      return [id, { id, isActive, sinceMs: approver ? Date.parse(approver.addedAt) : null }]
    }),
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
