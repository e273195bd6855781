import type { Insertable } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import { createAccountId } from './account-id.ts'

/** The stored hash of a user without a password. No password matches it. */
export const NO_PASSWORD = '!'

/** Returns the row of a new administrator, whose email address counts as verified. */
export function createAdminRow(admin: {
  id: string
  email: string
  name: string
  passwordHash: string
  nowMs: number
}): Insertable<Tables['identity.user']> {
  const now = new Date(admin.nowMs)
  return {
    id: admin.id,
    email: admin.email,
    name: admin.name,
    phone: '',
    country: 'US',
    first_address: '',
    second_address: null,
    town_city: null,
    gender: null,
    reason: null,
    employment_status: null,
    tax_residence: null,
    tax_number: null,
    role: 'admin',
    status: 'active',
    account_id: createAccountId(),
    referrer_id: null,
    password_hash: admin.passwordHash,
    email_verified_at: now,
    activation_wanted_at: null,
    password_changed_at: now,
    created_at: now,
    updated_at: now,
  }
}
