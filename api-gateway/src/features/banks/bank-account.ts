import { createHash, randomBytes } from 'node:crypto'
import type { BankAccount } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { type Selectable, sql } from 'kysely'
import { batchLookups } from '../../platform/database/batched.ts'
import { compileQueryOnce } from '../../platform/database/compiled-query.ts'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'

const ACCOUNTS_MAX = 20
const SALT_BYTES = 16

type Row = Selectable<Tables['platform.bank_account']>
type Details = Pick<
  BankAccount,
  'bankName' | 'accountNumber' | 'accountName' | 'accountType' | 'label'
>

const findAccountsOfAll = compileQueryOnce((db, userIds: readonly string[]) =>
  db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where(sql<boolean>`user_id = any(${userIds})`)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
)
const findAccountsOf = batchLookups(findAccountsOfAll, ({ user_id }) => user_id)

export async function listBankAccounts(
  db: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<readonly BankAccount[]> {
  const rows = await findAccountsOf(db, userId)
  return rows.map((row) => toBankAccount(row, nowMs))
}

/** Lists the accounts that the user has removed. Withdrawals refer to them, so they are kept. */
export async function listRemovedAccounts(
  db: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<readonly BankAccount[]> {
  const rows = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('user_id', '=', userId)
    .where('archived_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => toBankAccount(row, nowMs))
}

/**
 * Finds accounts by id, including archived accounts, because withdrawals refer to archived accounts
 * too.
 */
export async function findBankAccounts(
  db: Database,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<ReadonlyMap<string, BankAccount>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toBankAccount(row, nowMs)]))
}

/**
 * Returns the bank account of the user with this id. Throws 404 if the user has no such account or
 * has archived it.
 */
export async function getOwnBankAccount(
  db: Database,
  { userId, id, nowMs }: { userId: string; id: string; nowMs: number },
): Promise<BankAccount> {
  const row = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw createNotFoundFailure('There is no such bank account')
  return toBankAccount(row, nowMs)
}

export async function addBankAccount(
  trx: DatabaseTransaction,
  account: Details & { userId: string; isConfirmed: boolean; nowMs: number },
): Promise<BankAccount> {
  await lockAccounts(trx, account.userId)
  const known = await listBankAccounts(trx, account)
  if (known.length >= ACCOUNTS_MAX) {
    throw new HttpFailure(422, 'TOO_MANY_ACCOUNTS', 'You have too many bank accounts')
  }
  const row = await trx
    .insertInto('platform.bank_account')
    .values({
      id: createId(account.nowMs),
      user_id: account.userId,
      bank_name: account.bankName,
      account_number: account.accountNumber,
      account_name: account.accountName,
      account_type: account.accountType,
      label: account.label,
      hash_salt: randomBytes(SALT_BYTES),
      // The first account of a user becomes the default account.
      is_default: known.length === 0,
      confirmed_at: account.isConfirmed ? new Date(account.nowMs) : null,
      usable_from: account.isConfirmed ? new Date(account.nowMs) : null,
      created_at: new Date(account.nowMs),
      archived_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toBankAccount(row, account.nowMs)
}

/** Archives a bank account and returns it. Throws 404 if the user has no such account. */
export async function archiveBankAccount(
  trx: DatabaseTransaction,
  { userId, id, nowMs }: { userId: string; id: string; nowMs: number },
): Promise<BankAccount> {
  await lockAccounts(trx, userId)
  const account = await getOwnBankAccount(trx, { userId, id, nowMs })
  await trx
    .updateTable('platform.bank_account')
    .set({ archived_at: new Date(nowMs), is_default: false })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
  return account
}

/** Allows one change per user at a time, because a change depends on all accounts of the user. */
async function lockAccounts(trx: DatabaseTransaction, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bank ${userId}`}, 0))`.execute(trx)
}

/** Makes an account the default. `isChanged` is false if the account was already the default. */
export async function makeDefault(
  trx: DatabaseTransaction,
  { userId, id, nowMs }: { userId: string; id: string; nowMs: number },
): Promise<{ account: BankAccount; isChanged: boolean }> {
  const own = trx
    .updateTable('platform.bank_account')
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
  await lockAccounts(trx, userId)
  const before = await getOwnBankAccount(trx, { userId, id, nowMs })
  await own.set({ is_default: false }).where('is_default', '=', true).execute()
  await own.set({ is_default: true }).where('id', '=', id).execute()
  return { account: { ...before, isDefault: true }, isChanged: !before.isDefault }
}

/**
 * Returns a hash of the salt and the details of the account. The event of a withdrawal contains
 * this hash. After a change to the account, its hash no longer equals the hash in the event. The
 * salt is deleted with the account. Without the salt, the details cannot be guessed.
 */
function hashDetails(row: Row): string {
  const { hash_salt, bank_name, account_number, account_name, account_type } = row
  return createHash('sha256')
    .update(hash_salt)
    .update(JSON.stringify([bank_name, account_number, account_name, account_type]))
    .digest('hex')
}

/** Throws if the account is not usable. The message names the missing step. */
export function requireUsable({ status, usableFrom }: BankAccount): void {
  if (status === 'usable') return
  const message =
    status === 'cooling'
      ? `This bank account is new and can be used from ${usableFrom}`
      : 'Confirm this bank account with the code that was mailed to you'
  throw new HttpFailure(422, 'BANK_ACCOUNT_NOT_USABLE', message)
}

function getAccountStatus({ archived_at, usable_from }: Row, nowMs: number): BankAccount['status'] {
  if (archived_at !== null) return 'archived'
  if (usable_from === null) return 'unconfirmed'
  return usable_from.getTime() > nowMs ? 'cooling' : 'usable'
}

function toBankAccount(row: Row, nowMs: number): BankAccount {
  return {
    id: row.id,
    _id: row.id,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    accountType: row.account_type,
    label: row.label,
    isDefault: row.is_default,
    status: getAccountStatus(row, nowMs),
    usableFrom: row.usable_from?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    sha256: hashDetails(row),
  }
}
