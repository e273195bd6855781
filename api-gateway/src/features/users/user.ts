import type { BankAccount, GrantedRole, Person, User } from '@cairn/gateway-contracts'
import type { InvestorSummary } from '@cairn/ledger-contracts'
import { type Selectable, sql } from 'kysely'
import { batchLookups } from '../../platform/database/batched.ts'
import { compileQueryOnce } from '../../platform/database/compiled-query.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { EMPTY_WALLET, toWalletAmounts } from '../../platform/ledger-client/wallet-name.ts'
import { getCountryName } from '../countries/index.ts'

export type UserRow = Omit<Selectable<Tables['identity.user']>, 'password_hash'>

export const USER_COLUMNS = [
  'id',
  'email',
  'name',
  'pending_name',
  'phone',
  'country',
  'first_address',
  'second_address',
  'town_city',
  'gender',
  'reason',
  'employment_status',
  'tax_residence',
  'tax_number',
  'role',
  'status',
  'account_id',
  'referrer_id',
  'ledger_id',
  'email_verified_at',
  'activation_wanted_at',
  'photo_id',
  'password_changed_at',
  'password_reminder',
  'is_reset_required',
  'mfa_enabled_at',
  'credential_hold_until',
  'pending_email',
  'last_login_at',
  'deleted_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof UserRow)[]

const NO_PHOTO = 'default.png'

const findUsers = compileQueryOnce((db, userIds: readonly string[]) =>
  db
    .selectFrom('identity.user')
    .select(USER_COLUMNS)
    .where(sql<boolean>`id = any(${userIds})`)
    .where('deleted_at', 'is', null),
)
const findUser = batchLookups(findUsers, ({ id }) => id)

export async function getUserRow(db: Database, userId: string): Promise<UserRow> {
  const [row] = await findUser(db, userId)
  if (row === undefined) throw createNotFoundFailure('There is no such user')
  return row
}

/**
 * Locks the user's row, so that only one change that depends on several rows of the user runs at a
 * time.
 */
export async function lockUser(trx: Database, userId: string): Promise<void> {
  await trx
    .selectFrom('identity.user')
    .select('id')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Locks the user's row and returns the status and the name, so that neither changes meanwhile. */
export async function lockStatusAndName(
  trx: Database,
  userId: string,
): Promise<Pick<UserRow, 'status' | 'name'>> {
  const row = await trx
    .selectFrom('identity.user')
    .select(['status', 'name'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw createNotFoundFailure('There is no such user')
  return row
}

/** Returns users by id, for lists of transactions and investments. */
export async function findPersons(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('identity.user')
    .select(['id', 'name', 'email', 'photo_id'])
    .where('id', 'in', [...new Set(userIds)])
    .execute()
  return new Map(
    rows.map(({ id, name, email, photo_id }) => {
      const person = { id, _id: id, name, email }
      return [id, photo_id === null ? person : { ...person, photo: getPhotoPath(id, photo_id) }]
    }),
  )
}

/**
 * Returns the path of a photo. The path contains the file id, so that browsers load a replaced
 * photo again.
 */
function getPhotoPath(userId: string, photoId: string): string {
  return `/api/v1/users/${userId}/photo?v=${photoId.slice(0, 8)}`
}

/**
 * Returns the link by which a user refers other people. The link begins with the address in the
 * settings.
 */
export function buildReferralLink(siteUrl: string, accountId: string): string {
  return `${siteUrl}/users/register?refid=${accountId}`
}

export function toUser(
  row: UserRow,
  parts: {
    investor: InvestorSummary | null
    roles: readonly GrantedRole[]
    bankAccounts: readonly BankAccount[]
    siteUrl: string
  },
): User {
  const { investor, roles, bankAccounts, siteUrl } = parts
  const wallet = investor === null ? EMPTY_WALLET : toWalletAmounts(investor.available)
  return {
    id: row.id,
    _id: row.id,
    name: row.name,
    pendingName: row.pending_name,
    email: row.email,
    phone: row.phone,
    country: row.country,
    countryName: getCountryName(row.country),
    firstAddress: row.first_address,
    secondAddress: row.second_address,
    townCity: row.town_city,
    gender: row.gender,
    photo: row.photo_id === null ? NO_PHOTO : getPhotoPath(row.id, row.photo_id),
    role: row.role,
    roles: [...roles],
    status: row.status,
    isEmailVerified: row.email_verified_at !== null,
    accountId: row.account_id,
    referralLink: buildReferralLink(siteUrl, row.account_id),
    wallet: row.role === 'admin' ? [] : [wallet],
    bankAccounts: [...bankAccounts],
    pendingEmail: row.pending_email,
    isMfaEnabled: row.mfa_enabled_at !== null,
    credentialHoldUntil: row.credential_hold_until?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
