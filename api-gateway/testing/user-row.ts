import type { Insertable } from 'kysely'
import { createAccountId } from '../src/features/users/account-id.ts'
import type { Tables } from '../src/platform/database/tables.ts'

/** Returns the row of a user whose email address counts as verified. */
export function createUserRow(user: {
  id: string
  role: 'user' | 'admin'
  status: 'pending' | 'active'
  email?: string
  passwordHash: string
  now: Date
}): Insertable<Tables['identity.user']> {
  const { id, role, status, email, passwordHash, now } = user
  return {
    id,
    email: email ?? `${id}@example.com`,
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
    role,
    status,
    account_id: createAccountId(),
    referrer_id: null,
    password_hash: passwordHash,
    password_changed_at: now,
    email_verified_at: now,
    activation_wanted_at: null,
    created_at: now,
    updated_at: now,
  }
}
