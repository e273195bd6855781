import type { AdminRole } from '@cairn/gateway-contracts'
import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { hashPassword } from '../src/features/passwords/passwords.ts'
import { grantRoles } from '../src/platform/access/granted-roles.ts'
import type { Database } from '../src/platform/database/database.ts'
import type { Dependencies } from '../src/platform/dependencies.ts'
import { createUserRow } from './user-row.ts'

/** A test gateway, or only its properties that `addUser` needs. */
export interface UserStore {
  db: Database
  deps: { clock: Pick<Dependencies['clock'], 'now'>; sessionKeys: Dependencies['sessionKeys'] }
  ledger: { unrecorded: Pick<LedgerClient, 'submit'> }
}

export const PASSWORD = 'correct horse battery'
// All users share one hash, because hashing is slow.
const passwordHash = hashPassword(PASSWORD)

export async function addUser(
  gateway: Pick<UserStore, 'db' | 'ledger'> & { deps: Pick<UserStore['deps'], 'clock'> },
  user: {
    role: 'user' | 'admin'
    status: 'pending' | 'active'
    email?: string
    id?: string
    /** The roles of an administrator. The default is `owner`. */
    roles?: readonly AdminRole[]
    /** The number of the ledger, which `gateway.ledger` must reach. The default is the first one. */
    ledger?: number
  },
): Promise<string> {
  const nowMs = gateway.deps.clock.now()
  const now = new Date(nowMs)
  const id = user.id ?? createId(nowMs)
  await gateway.db
    .insertInto('identity.user')
    .values({
      ...createUserRow({ ...user, id, passwordHash: await passwordHash, now }),
      ...(user.ledger !== undefined && { ledger_id: user.ledger }),
    })
    .execute()
  if (user.role === 'user' && user.status === 'active') await activate(gateway, id)
  if (user.role === 'admin') {
    const roles = (user.roles ?? ['owner']).map((role) => ({ role, endsAt: null }))
    await grantRoles(gateway.db, { userId: id, roles, grantedBy: null, nowMs })
  }
  return id
}

/** Activates the investor in the ledger, as the gateway does for active users. */
async function activate({ ledger }: Pick<UserStore, 'ledger'>, investorId: string): Promise<void> {
  await ledger.unrecorded.submit({
    type: 'ActivateInvestor',
    data: { investorId, referrerId: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}
