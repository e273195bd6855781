import type { Dependencies } from '../../platform/dependencies.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { createCommandChange, toMoneyLine, toTextLine } from '../change-requests/index.ts'

/** Returns the definitions of the movements of the operator's own money. */
export function createReserveChanges(deps: Pick<Dependencies, 'ledger'>) {
  const common = {
    permission: 'reserve.move' as const,
    getTarget: () => 'reserve',
    getLink: () => '/manage/admin/reserve',
    listBeneficiaries: async () => [],
    // No state is compared, because the ledger refuses a withdrawal above the balance.
    readBefore: async () => null,
  }
  return {
    'reserve-funding': createCommandChange(deps, {
      ...common,
      kind: 'reserve-funding',
      type: 'FundReserve',
      getTitle: ({ amountMinor }) => `Payment of ${formatMoney(amountMinor)} into the reserve`,
      present: async ({ amountMinor, note }) => [
        toMoneyLine('Amount', { after: amountMinor }),
        toTextLine('Note', { after: note }),
      ],
    }),
    'reserve-withdrawal': createCommandChange(deps, {
      ...common,
      kind: 'reserve-withdrawal',
      type: 'WithdrawReserve',
      getTitle: ({ amountMinor }) => `Withdrawal of ${formatMoney(amountMinor)} from the reserve`,
      present: async ({ amountMinor, note }) => [
        toMoneyLine('Amount', { after: -amountMinor }),
        toTextLine('Note', { after: note }),
      ],
    }),
    'reserve-sweep': createCommandChange(deps, {
      ...common,
      kind: 'reserve-sweep',
      type: 'SweepToReserve',
      getTitle: ({ amountMinor, from }) =>
        `Sweep of ${formatMoney(amountMinor)} from ${from} to the reserve`,
      present: async ({ amountMinor, from }) => [
        toTextLine('From', { after: from }),
        toMoneyLine('Amount', { after: amountMinor }),
      ],
    }),
  }
}
