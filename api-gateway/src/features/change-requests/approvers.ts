import {
  findActiveRoles,
  type GrantedRole,
  isGranted,
  type Permission,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import {
  listHolders,
  parseGrantedRoles,
  selectGrantedRoles,
} from '../../platform/access/granted-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { APPROVER_PERMISSION, readControls } from '../users/index.ts'
import type { Approver } from './change-act.ts'

/** The sources of the facts about approvers. `db` may be a transaction. */
export interface ApproverSource {
  db: Database
  ledger: Dependencies['ledger']
}

/**
 * The facts that decide whether a person may approve: the status, the roles in force, and the time
 * at which the ledger made the person an approver.
 */
interface Candidate {
  isActive: boolean
  roles: readonly GrantedRole[]
  ledgerSinceMs: number | null
}
export type Candidates = ReadonlyMap<string, Candidate>

export async function findCandidates(
  { db, ledger }: ApproverSource,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<Candidates> {
  const [rows, { approvers }] = await Promise.all([
    db
      .selectFrom('identity.user')
      .select(['id', 'role', 'status'])
      .select(selectGrantedRoles(sql.ref('identity.user.id')).as('roles'))
      .where(sql<boolean>`id = any(${ids})`)
      .execute(),
    readControls({ ledger }),
  ])
  const known = new Map(
    approvers.flatMap(({ approverId, isActive, addedAt }) =>
      isActive ? [[approverId, Date.parse(addedAt)] as const] : [],
    ),
  )
  return new Map(
    rows.map(({ id, role, status, roles }) => [
      id,
      {
        isActive: role === 'admin' && status === 'active',
        roles: findActiveRoles(parseGrantedRoles(roles), nowMs),
        ledgerSinceMs: known.get(id) ?? null,
      },
    ]),
  )
}

/**
 * Combines the facts about a person for one permission. If a role of the person permits decisions
 * on transactions, the ledger must also have made the person an approver. `sinceMs` is then the
 * later of the two times.
 */
export function toApprover(
  candidates: Candidates,
  { id, permission }: { id: string; permission: Permission },
): Approver {
  const found = candidates.get(id)
  const findGrantTime = (wanted: Permission) =>
    found?.roles
      .filter(({ role }) => isGranted(role, wanted))
      .map(({ grantedAt }) => Date.parse(grantedAt))
      .toSorted((one, other) => one - other)
      .at(0) ?? null
  const sinceMs = findGrantTime(permission)
  if (found === undefined || !found.isActive || sinceMs === null) {
    return { id, isActive: false, sinceMs: null }
  }
  if (findGrantTime(APPROVER_PERMISSION) === null) return { id, isActive: true, sinceMs }
  const { ledgerSinceMs } = found
  if (ledgerSinceMs === null) return { id, isActive: false, sinceMs: null }
  return { id, isActive: true, sinceMs: Math.max(sinceMs, ledgerSinceMs) }
}

/** Lists the administrators with the permission, except the administrators in `excluded`. */
export async function listPermittedAdmins(
  db: Database,
  {
    permission,
    excluded,
    nowMs,
  }: { permission: Permission; excluded: ReadonlySet<string>; nowMs: number },
): Promise<readonly string[]> {
  const holders = await listHolders(db, { permission, nowMs })
  return holders.map(({ userId }) => userId).filter((id) => !excluded.has(id))
}

/** Returns the beneficiaries and the persons who referred them. */
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
