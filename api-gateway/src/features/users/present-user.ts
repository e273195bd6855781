import type { User } from '@cairn/gateway-contracts'
import { listGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { listBankAccounts } from '../banks/index.ts'
import { toUser, type UserRow } from './user.ts'

/**
 * Throws if the ledger is unavailable. Must be called before a change whose answer includes the
 * wallet, so that no change is made without an answer.
 */
export async function requirePresentableUser(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
  row: UserRow,
): Promise<void> {
  await presentUser(deps, row)
}

/**
 * Returns the user in the API format, from the row, the wallet in the ledger and the bank accounts.
 */
export async function presentUser(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
  row: UserRow,
): Promise<User> {
  const { general } = await deps.settings.read()
  const { siteUrl } = general
  if (row.role === 'admin') {
    const roles = await listGrantedRoles(deps.db, row.id)
    return toUser(row, { investor: null, roles, bankAccounts: [], siteUrl })
  }
  const [investor, bankAccounts] = await Promise.all([
    findInvestor(deps.ledger, row.id),
    listBankAccounts(deps.db, { userId: row.id, nowMs: deps.clock.now() }),
  ])
  return toUser(row, { investor, roles: [], bankAccounts, siteUrl })
}
