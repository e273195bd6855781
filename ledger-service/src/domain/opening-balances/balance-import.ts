import { account, addAsset, type DataOf, getInvestorId } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import {
  balanceTable,
  createMovePostings,
  hasFloor,
  listBalanceNeeds,
} from '../accounts/account.ts'
import { findCurrency } from '../assets/currency.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { createInvestorNeed, investorTable, updateInvestor } from '../investors/investor.ts'
import {
  findImportedFile,
  hasBusinessBegun,
  importedFileTable,
  refuseLine,
} from './imported-file.ts'

type Line = DataOf<'ImportBalance'>

/**
 * Posts the balance that an account has in another system, and the opposite amount to the account
 * `opening` of the same asset. After the last line of a file, the balance of `opening` is zero.
 * Before the first request or movement of money, a line for an account with postings is refused, so
 * that no account gets two opening balances.
 */
export const importBalance: Decider<'ImportBalance'> = {
  needs: (data, view) => {
    const investorId = getInvestorId(data.account)
    return [
      ...listBalanceNeeds(...getAccountCodes(view, data)),
      ...(investorId === null ? [] : [createInvestorNeed(investorId)]),
    ]
  },
  decide: (data, view, context) => {
    const refused = refuseLine(view, data, context.recordedAtMs) ?? refuseAccount(view, data)
    if (refused !== null) return refused
    const [code, opening] = getAccountCodes(view, data)
    const postings = data.isCredit
      ? createMovePostings(opening, code, data.amountMinor)
      : createMovePostings(code, opening, data.amountMinor)
    return record({ type: 'BalanceImported', data }, context, postings)
  },
}

/**
 * Imported profit and imported referral earnings count as earned, like amounts that an
 * administrator funds.
 */
export const applyBalanceImported: Evolve<'BalanceImported'> = (data, view, { seq: lastSeq }) => {
  const { fileSha256, line, lastLine, account: code, amountMinor } = data
  view.put(importedFileTable, { ...findImportedFile(view, fileSha256), line, lastLine, lastSeq })
  const investorId = getInvestorId(code)
  if (investorId === null || code.endsWith(':balance')) return
  updateInvestor(view, investorId, ({ profitMinor, referralMinor }) => ({
    profitMinor: profitMinor + (code.endsWith(':profit') ? amountMinor : 0n),
    referralMinor: referralMinor + (code.endsWith(':referral') ? amountMinor : 0n),
  }))
}

/** Returns the codes of the account and of the account `opening` in the asset of the line. */
function getAccountCodes(view: View, { account: code, asset }: Line): readonly [string, string] {
  const opening = account.getOperatorCode('opening')
  if (asset === findCurrency(view)) return [code, opening]
  return [addAsset(code, asset), addAsset(opening, asset)]
}

function refuseAccount(view: View, data: Line): { refusal: Refusal } | null {
  const { account: code, isCredit } = data
  const currency = findCurrency(view)
  const isAnyAsset = code === 'reserve' || code.startsWith('cash:')
  if (data.asset !== currency && !isAnyAsset) {
    return refuse('importedAsset', { account: code, asset: currency })
  }
  if (!isCredit && hasFloor(code)) return refuse('importedBelowZero', { account: code })
  const investorId = getInvestorId(code)
  if (investorId !== null) {
    const investor = view.find(investorTable, investorId)
    if (investor === null || investor.standing === 'closed') return refuse('accountUnknown')
  }
  const [posted] = getAccountCodes(view, data)
  const hasEntries = view.find(balanceTable, posted) !== null
  return hasEntries && !hasBusinessBegun(view)
    ? refuse('importedAccount', { account: posted })
    : null
}
