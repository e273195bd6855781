import type { Fact } from '@cairn/ledger-contracts'
import { formatDollars } from '../ledger-client/dollars.ts'
import type { MailName } from './mail-kinds.ts'
import type { Values } from './markup.ts'

type DepositFact = Extract<
  Fact,
  { type: 'DepositRequested' | 'DepositApproved' | 'DepositDeclined' | 'DepositReversed' }
>
type WithdrawalFact = Extract<
  Fact,
  {
    type:
      | 'WithdrawalRequested'
      | 'WithdrawalApproved'
      | 'WithdrawalDeclined'
      | 'WithdrawalCancelled'
      | 'WithdrawalReversed'
  }
>

/** The wallet names of the withdrawal form. */
export const WALLET_NAMES = {
  balance: 'Wallet Balance',
  profit: 'Investment Profit',
  referral: 'Referral Earnings',
} as const

export function writeDeposit(fact: DepositFact): { kind: MailName; values: Values } {
  const values = amountsOf(fact.data)
  switch (fact.type) {
    case 'DepositRequested':
      return { kind: 'deposit-received', values }
    case 'DepositApproved': {
      const { amountMinor, requestedMinor } = fact.data
      const stated = requestedMinor === amountMinor ? '' : formatDollars(requestedMinor)
      return { kind: 'deposit-approved', values: { ...values, stated } }
    }
    case 'DepositDeclined':
      return { kind: 'deposit-declined', values: { ...values, reason: fact.data.reason ?? '' } }
    case 'DepositReversed': {
      const correction =
        fact.data.to === 'success'
          ? 'Your deposit, declined before, has been approved and is in your wallet.'
          : 'Your deposit, approved before, has been taken back out of your wallet.'
      const { reason } = fact.data
      return { kind: 'deposit-corrected', values: { ...values, correction, reason } }
    }
  }
}

export function writeWithdrawal(fact: WithdrawalFact): { kind: MailName; values: Values } {
  const values = { ...amountsOf(fact.data), source: WALLET_NAMES[fact.data.source] }
  switch (fact.type) {
    case 'WithdrawalRequested':
      return { kind: 'withdrawal-requested', values }
    case 'WithdrawalApproved': {
      const reference = fact.data.payoutReference ?? ''
      return { kind: 'withdrawal-approved', values: { ...values, reference } }
    }
    case 'WithdrawalDeclined':
      return { kind: 'withdrawal-declined', values: { ...values, reason: fact.data.reason ?? '' } }
    case 'WithdrawalCancelled':
      return { kind: 'withdrawal-cancelled', values }
    case 'WithdrawalReversed': {
      const correction =
        fact.data.to === 'success'
          ? 'Your withdrawal, declined before, has been paid to your bank account.'
          : 'Your withdrawal, approved before, did not go through. The amount is back in your wallet.'
      const { reason } = fact.data
      return { kind: 'withdrawal-corrected', values: { ...values, correction, reason } }
    }
  }
}

/** Fee and net amount are empty if there is no fee. */
function amountsOf({ amountMinor, feeMinor }: { amountMinor: bigint; feeMinor: bigint }) {
  const amount = formatDollars(amountMinor)
  if (feeMinor === 0n) return { amount, fee: '', net: '' }
  return { amount, fee: formatDollars(feeMinor), net: formatDollars(amountMinor - feeMinor) }
}
