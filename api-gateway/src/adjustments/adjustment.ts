import { type Adjustment, type Person, toAmount, WalletName } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { toWalletName } from '../ledger/wallet-name.ts'
import { findPersons } from '../users/user.ts'

const STATUS = { pending: 'proposed', success: 'applied', declined: 'rejected' } as const

/** The id in `user:<id>` or `admin:<id>`; of the system, nobody's. */
export function idOfActor(actor: string | null): string {
  const [kind, id = ''] = (actor ?? '').split(':')
  return kind === 'system' ? '' : id
}

export async function toAdjustments(
  deps: Pick<Dependencies, 'db'>,
  found: readonly LedgerTransaction[],
): Promise<Adjustment[]> {
  const persons = await findPersons(
    deps.db,
    found.flatMap(({ investorId, requestedBy }) =>
      [investorId ?? '', idOfActor(requestedBy)].filter((id) => id !== ''),
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
    ...named('user', persons.get(item.investorId ?? '')),
    ...named('proposedBy', persons.get(idOfActor(item.requestedBy))),
  }))
}

/** The person under this name, or nothing at all. */
export function named<Name extends string>(
  name: Name,
  person: Person | undefined,
): { [Key in Name]?: Person } {
  // One key, which is the name itself.
  return (person === undefined ? {} : { [name]: person }) as { [Key in Name]?: Person }
}
