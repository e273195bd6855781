import { text } from 'node:stream/consumers'
import { AdminRole, BankAccountForm } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { grantRoles } from '../../platform/access/granted-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import { createBlobStore } from '../../platform/files/blob-store.ts'
import { createImageQueue } from '../../platform/files/image-queue.ts'
import { addBankAccount } from '../banks/index.ts'
import { findCountryCode } from '../countries/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { createAccountId } from '../users/index.ts'

const NewUser = z.strictObject({
  email: z.email().toLowerCase(),
  password: z.string().min(8).max(128),
  name: z.string().min(1).max(120),
  phone: z.string().default('+1 555 0100'),
  country: z.string().default('US'),
  firstAddress: z.string().default('1 Example Street'),
  townCity: z.string().nullable().default(null),
  gender: z.enum(['Male', 'Female']).nullable().default(null),
  /** The email of the referrer. The import must contain the referrer before this user. */
  referrer: z.email().toLowerCase().nullable().default(null),
  role: z.enum(['user', 'admin']).default('user'),
  roles: z.array(AdminRole).default(['owner']),
  createdAt: z.iso.datetime().optional(),
  /** The confirmed bank account of the user, which is as old as the user. */
  bank: BankAccountForm.nullable().default(null),
  /** A picture of a payment by the user, in base64. */
  paymentProof: z.base64().nullable().default(null),
})

interface ImportedUser {
  email: string
  id: string
  accountId: string
  isNew: boolean
  /** The stored picture of a payment; null if the user has none. */
  paymentProof: { id: string; sha256: string } | null
}

/** Imports demo users from stdin, as a JSON list or as JSON lines. Prints the ids as JSON lines. */
export async function importUsers(db: Database, { isDemo }: { isDemo: boolean }): Promise<void> {
  if (!isDemo) throw new Error('import-users makes demo data and needs DEMO=1')
  const input = await text(process.stdin)
  const isList = input.trimStart().startsWith('[')
  const items: unknown[] = isList
    ? JSON.parse(input)
    : input
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line))
  const made: ImportedUser[] = []
  for (const item of items) {
    const user = NewUser.parse(item)
    const inserted = await insertUser(db, user)
    const paymentProof = await storePaymentProof(db, inserted.id, user)
    made.push({ email: user.email, ...inserted, paymentProof })
  }
  if (isList) print(made)
  else for (const user of made) print(user)
}

const hashes = new Map<string, Promise<string>>()

/**
 * Hashes a password. If the password was hashed before, returns the stored hash, because hashing is
 * slow and demo users share a password.
 */
function hashPasswordOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Creates the user. If the email already exists, returns the id of the existing user. */
async function insertUser(
  database: Database,
  user: z.infer<typeof NewUser>,
): Promise<Omit<ImportedUser, 'email' | 'paymentProof'>> {
  const known = await findUser(database, user.email)
  if (known !== null) return { id: known.id, accountId: known.accountId, isNew: false }
  const country = findCountryCode(user.country)
  if (country === null) throw new Error(`${user.country} is not a country`)
  const referrer = user.referrer === null ? null : await findUser(database, user.referrer)
  const createdAtMs = user.createdAt === undefined ? Date.now() : Date.parse(user.createdAt)
  const now = new Date(createdAtMs)
  const id = createId(createdAtMs)
  const accountId = createAccountId()
  const passwordHash = await hashPasswordOnce(user.password)
  await database.transaction().execute(async (trx) => {
    const row = {
      id,
      email: user.email,
      name: user.name,
      phone: user.phone,
      country,
      first_address: user.firstAddress,
      second_address: null,
      town_city: user.townCity,
      gender: user.gender,
      reason: null,
      employment_status: null,
      tax_residence: null,
      tax_number: null,
      role: user.role,
      status: 'active',
      account_id: accountId,
      referrer_id: referrer?.id ?? null,
      ...(referrer === null ? {} : { ledger_id: referrer.ledger }),
      password_hash: passwordHash,
      email_verified_at: now,
      activation_wanted_at: null,
      created_at: now,
      updated_at: now,
    } as const
    await trx.insertInto('identity.user').values(row).execute()
    if (user.role === 'admin') {
      const roles = user.roles.map((role) => ({ role, endsAt: null }))
      await grantRoles(trx, { userId: id, roles, grantedBy: null, nowMs: createdAtMs })
    }
    if (user.bank !== null) {
      await addBankAccount(trx, { ...user.bank, userId: id, isConfirmed: true, nowMs: createdAtMs })
    }
  })
  return { id, accountId, isNew: true }
}

/**
 * Stores the picture in the database, as an upload of the user. If the user already has the picture,
 * returns the stored one.
 */
async function storePaymentProof(
  db: Database,
  ownerId: string,
  { paymentProof, createdAt }: z.infer<typeof NewUser>,
): Promise<ImportedUser['paymentProof']> {
  if (paymentProof === null) return null
  const blobs = createBlobStore({ db, dailyScale: 1, images: createImageQueue(), objects: null })
  const received = Buffer.from(paymentProof, 'base64')
  const nowMs = createdAt === undefined ? Date.now() : Date.parse(createdAt)
  return await blobs.put({ ownerId, purpose: 'receipt', received, nowMs })
}

async function findUser(
  database: Database,
  email: string,
): Promise<{ id: string; accountId: string; ledger: number } | null> {
  const row = await database
    .selectFrom('identity.user')
    .select(['id', 'account_id', 'ledger_id'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (row === undefined) return null
  return { id: row.id, accountId: row.account_id, ledger: row.ledger_id }
}
