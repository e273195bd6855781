import { createHash } from 'node:crypto'
import type { BankAccount } from '@cairn/gateway-contracts'
import { newId } from '@cairn/ledger-contracts'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { HttpFailure, notFound } from '../http/failure.ts'

const ACCOUNTS_MAX = 20

type Row = Selectable<Tables['platform.bank_account']>
type Details = Pick<BankAccount, 'bankName' | 'accountNumber' | 'accountName' | 'accountType'>

export async function listBankAccounts(
  db: Database,
  userId: string,
): Promise<readonly BankAccount[]> {
  const rows = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(ACCOUNTS_MAX)
    .execute()
  return rows.map(toBankAccount)
}

/** By id, archived ones included: a withdrawal keeps the account it was asked for. */
export async function findBankAccounts(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BankAccount>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toBankAccount(row)]))
}

/** One of the user's own accounts that is in use. */
export async function getOwnBankAccount(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<BankAccount> {
  const row = await db
    .selectFrom('platform.bank_account')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound('There is no such bank account')
  return toBankAccount(row)
}

export async function addBankAccount(
  db: Database,
  account: Details & { userId: string; nowMs: number },
): Promise<BankAccount> {
  const known = await listBankAccounts(db, account.userId)
  if (known.length >= ACCOUNTS_MAX) {
    throw new HttpFailure(422, 'TOO_MANY_ACCOUNTS', 'You have too many bank accounts')
  }
  const row = await db
    .insertInto('platform.bank_account')
    .values({
      id: newId(account.nowMs),
      user_id: account.userId,
      bank_name: account.bankName,
      account_number: account.accountNumber,
      account_name: account.accountName,
      account_type: account.accountType,
      created_at: new Date(account.nowMs),
      archived_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toBankAccount(row)
}

export async function archiveBankAccount(
  db: Database,
  { userId, id, nowMs }: { userId: string; id: string; nowMs: number },
): Promise<void> {
  await getOwnBankAccount(db, { userId, id })
  await db
    .updateTable('platform.bank_account')
    .set({ archived_at: new Date(nowMs) })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

/** What the withdrawal's event says of the account, so that nobody can change it afterwards. */
export function hashBankAccount(account: BankAccount): string {
  const { bankName, accountNumber, accountName, accountType } = account
  return createHash('sha256')
    .update(JSON.stringify([bankName, accountNumber, accountName, accountType]))
    .digest('hex')
}

function toBankAccount(row: Row): BankAccount {
  return {
    id: row.id,
    _id: row.id,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    accountType: row.account_type,
    createdAt: row.created_at.toISOString(),
  }
}
