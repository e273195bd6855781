import type { BankAccount } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { findBankAccounts } from '../banks/index.ts'

/**
 * Returns the bank account to which a withdrawal is paid, in its present state. Returns null for
 * other transactions, and if the account no longer exists.
 */
export async function findPayeeAccount(
  db: Database,
  { bankAccountId }: Pick<LedgerTransaction, 'bankAccountId'>,
  nowMs: number,
): Promise<BankAccount | null> {
  if (bankAccountId === null) return null
  const accounts = await findBankAccounts(db, { ids: [bankAccountId], nowMs })
  return accounts.get(bankAccountId) ?? null
}

/**
 * Returns the hash of the bank account in its present state. Returns null if the account was
 * removed: a withdrawal that was requested meanwhile is not paid to it.
 */
export async function hashPayeeAccount(
  db: Database,
  found: Pick<LedgerTransaction, 'bankAccountId'>,
  nowMs: number,
): Promise<string | null> {
  const account = await findPayeeAccount(db, found, nowMs)
  return account === null || account.status === 'archived' ? null : account.sha256
}
