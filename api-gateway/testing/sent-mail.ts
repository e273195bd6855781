import type { Database } from '../src/platform/database/database.ts'

export interface SentMail {
  messageId: string
  from: { name: string }
  to: { address: string }
  subject: string
  text: string
  html: string
}

/** Adds a user named Anna who receives mails. */
export async function addMailReader(db: Database, id: string): Promise<void> {
  const now = new Date()
  await db
    .insertInto('identity.user')
    .values({
      id,
      email: 'anna@example.com',
      name: 'Anna',
      phone: '1',
      country: 'US',
      first_address: 'x',
      second_address: null,
      town_city: null,
      gender: null,
      reason: null,
      employment_status: null,
      tax_residence: null,
      tax_number: null,
      role: 'user',
      status: 'active',
      account_id: '0123456789AB',
      referrer_id: null,
      password_hash: 'none',
      email_verified_at: now,
      activation_wanted_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}
