import type { Command, LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { isDualControlRequired } from '../users/index.ts'
import { hasChangedCredential } from '../withdrawals/index.ts'
import { hashPayeeAccount } from './payee-account.ts'

/**
 * Returns true if the command pays a declined withdrawal that two administrators must approve at
 * any amount: it is on hold, its owner has changed a credential since the request, or its bank
 * account was removed or is no longer that of the request. The rules of the ledger do not require
 * this of a reversal, and a credential that changes after the decline puts nothing on hold.
 * Otherwise one administrator could decline such a withdrawal and then pay it alone.
 */
export async function needsSecondForPayout(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { found, command, nowMs }: { found: LedgerTransaction; command: Command; nowMs: number },
): Promise<boolean> {
  const isPayout = command.type === 'ReverseWithdrawal' && command.data.to === 'success'
  if (!isPayout || !(await isDualControlRequired(deps))) return false
  return (
    found.holdReason !== null ||
    (await hasChangedCredential(deps.db, {
      userId: found.investorId ?? '',
      sinceMs: Date.parse(found.createdAt),
    })) ||
    (await hasChangedAccount(deps, found, nowMs))
  )
}

async function hasChangedAccount(
  { db }: Pick<Dependencies, 'db'>,
  found: LedgerTransaction,
  nowMs: number,
): Promise<boolean> {
  return (await hashPayeeAccount(db, found, nowMs)) !== found.bankAccountSha256
}
