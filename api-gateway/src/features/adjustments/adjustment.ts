import { type Adjustment, toAmount, WalletName } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toWalletName } from '../../platform/ledger-client/wallet-name.ts'
import { findPersons, getActorId, toPersonField } from '../users/index.ts'

const STATUS = {
  pending: 'proposed',
  success: 'applied',
  declined: 'rejected',
  cancelled: 'rejected',
} as const

export async function toAdjustment(
  deps: Pick<Dependencies, 'db'>,
  found: LedgerTransaction,
): Promise<Adjustment> {
  const [adjustment] = await toAdjustments(deps, [found])
  if (adjustment === undefined) throw new Error('an adjustment is missing from the converted list')
  return adjustment
}

export async function toAdjustments(
  deps: Pick<Dependencies, 'db'>,
  found: readonly LedgerTransaction[],
): Promise<Adjustment[]> {
  const persons = await findPersons(
    deps.db,
    found.flatMap(({ investorId, requestedBy }) =>
      [investorId ?? '', getActorId(requestedBy)].filter((id) => id !== ''),
    ),
  )
  return found.map((item) => ({
    id: item.transactionId,
    _id: item.transactionId,
    reference: item.reference,
    wallet_type: WalletName.parse(toWalletName(item.method)),
    amount: toAmount(item.amountMinor),
    isCredit: item.isCredit,
    status: STATUS[item.status],
    reason: item.reason,
    createdAt: item.createdAt,
    decidedAt: item.decidedAt,
    ...toPersonField('user', persons.get(item.investorId ?? '')),
    ...toPersonField('proposedBy', persons.get(getActorId(item.requestedBy))),
  }))
}
