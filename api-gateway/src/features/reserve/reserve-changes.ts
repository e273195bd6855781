import type { Dependencies } from '../../platform/dependencies.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { createCommandChange, toMoneyLine, toTextLine } from '../change-requests/index.ts'

/** Returns the definitions of the movements of the operator's own money. */
export function createReserveChanges(deps: Pick<Dependencies, 'ledger' | 'ledgers'>) {
  const common = {
    permission: 'reserve.move' as const,
    ledgers: deps.ledgers,
    getTarget: (_data: unknown, ledger: number | null) =>
      ledger === null ? 'reserve' : `reserve-${ledger}`,
    getLink: (_data: unknown, ledger: number | null) =>
      `/manage/admin/reserve${ledger === null ? '' : `?ledger=${ledger}`}`,
    listBeneficiaries: async () => [],
    // No state is compared, because the ledger refuses a withdrawal above the balance.
    readBefore: async () => null,
  }
  return {
    'reserve-funding': createCommandChange(deps, {
      ...common,
      kind: 'reserve-funding',
      type: 'FundReserve',
      getTitle: ({ amountMinor }, ledger) =>
        `Payment of ${formatMoney(amountMinor)} into ${nameReserve(ledger)}`,
      present: async ({ amountMinor, note }) => [
        toMoneyLine('Amount', { after: amountMinor }),
        toTextLine('Note', { after: note }),
      ],
    }),
    'reserve-withdrawal': createCommandChange(deps, {
      ...common,
      kind: 'reserve-withdrawal',
      type: 'WithdrawReserve',
      getTitle: ({ amountMinor }, ledger) =>
        `Withdrawal of ${formatMoney(amountMinor)} from ${nameReserve(ledger)}`,
      present: async ({ amountMinor, note }) => [
        toMoneyLine('Amount', { after: -amountMinor }),
        toTextLine('Note', { after: note }),
      ],
    }),
    'reserve-sweep': createCommandChange(deps, {
      ...common,
      kind: 'reserve-sweep',
      type: 'SweepToReserve',
      getTitle: ({ amountMinor, from }, ledger) =>
        `Sweep of ${formatMoney(amountMinor)} from ${from} to ${nameReserve(ledger)}`,
      present: async ({ amountMinor, from }) => [
        toTextLine('From', { after: from }),
        toMoneyLine('Amount', { after: amountMinor }),
      ],
    }),
  }
}

/** `ledger` is the further ledger; null for the first one. */
function nameReserve(ledger: number | null): string {
  return ledger === null ? 'the reserve' : `the reserve of ledger ${ledger}`
}
