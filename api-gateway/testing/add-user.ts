import { type LedgerClient, newId } from '@cairn/ledger-contracts'
import { hashPassword } from '../src/features/passwords/passwords.ts'
import { createAccountId } from '../src/features/users/account-id.ts'
import type { Database } from '../src/platform/database/database.ts'
import type { Dependencies } from '../src/platform/dependencies.ts'

/** What users are added with: a whole test gateway, or parts of a platform that runs elsewhere. */
export interface UserStore {
  db: Database
  deps: { clock: Pick<Dependencies['clock'], 'now'> }
  ledger: { unrecorded: Pick<LedgerClient, 'submit'> }
}

export const PASSWORD = 'correct horse battery'
// Hashing is slow on purpose, so all users share one hash.
const passwordHash = hashPassword(PASSWORD)

export async function addUser(
  gateway: UserStore,
  user: {
    role: 'user' | 'admin'
    status: 'pending' | 'active'
    email?: string
  },
): Promise<string> {
  const nowMs = gateway.deps.clock.now()
  const now = new Date(nowMs)
  const id = newId(nowMs)
  await gateway.db
    .insertInto('identity.user')
    .values({
      id,
      email: user.email ?? `${id}@example.com`,
      name: `Person ${id}`,
      phone: '+1 555 0100',
      country: 'US',
      first_address: '1 Example Street',
      second_address: null,
      town_city: null,
      gender: null,
      reason: null,
      employment_status: null,
      tax_residence: null,
      tax_number: null,
      role: user.role,
      status: user.status,
      account_id: createAccountId(),
      referrer_id: null,
      password_hash: await passwordHash,
      password_changed_at: now,
      email_verified_at: now,
      activation_wanted_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  if (user.role === 'user' && user.status === 'active') await activate(gateway, id)
  return id
}

/** Activates the investor in the ledger, as the gateway does for active users. */
async function activate({ ledger }: UserStore, investorId: string): Promise<void> {
  await ledger.unrecorded.submit({
    type: 'ActivateInvestor',
    data: { investorId, referrerId: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}
