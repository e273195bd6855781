import type { Fact } from '@cairn/ledger-contracts'
import { getWalletLabel } from '../ledger-client/wallet-name.ts'
import { formatMoney } from '../site-format.ts'
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

export function writeDepositMail(fact: DepositFact): { kind: MailName; values: Values } {
  const values = toAmounts(fact.data)
  switch (fact.type) {
    case 'DepositRequested':
      return { kind: 'deposit-received', values }
    case 'DepositApproved': {
      const { amountMinor, requestedMinor } = fact.data
      const stated = requestedMinor === amountMinor ? '' : formatMoney(requestedMinor)
      return { kind: 'deposit-approved', values: { ...values, stated } }
    }
    case 'DepositDeclined':
      return { kind: 'deposit-declined', values: { ...values, reason: fact.data.reason ?? '' } }
    case 'DepositReversed': {
      const correction =
        fact.data.to === 'success'
          ? 'Your declined deposit has now been approved and is in your Wallet Balance.'
          : 'The approval of your deposit was reversed. The amount was taken out of your Wallet Balance.'
      const { reason } = fact.data
      return { kind: 'deposit-corrected', values: { ...values, correction, reason } }
    }
  }
}

export function writeWithdrawalMail(fact: WithdrawalFact): { kind: MailName; values: Values } {
  const values = { ...toAmounts(fact.data), source: getWalletLabel(fact.data.source) }
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
          ? 'Your declined withdrawal has now been paid to your bank account and approved.'
          : 'The payment of your approved withdrawal failed. The amount is back in your wallet.'
      const { reason } = fact.data
      return { kind: 'withdrawal-corrected', values: { ...values, correction, reason } }
    }
  }
}

/**
 * Formats the amount, the fee and the net amount. Fee and net amount are empty if there is no fee.
 */
function toAmounts({ amountMinor, feeMinor }: { amountMinor: bigint; feeMinor: bigint }) {
  const amount = formatMoney(amountMinor)
  if (feeMinor === 0n) return { amount, fee: '', net: '' }
  return { amount, fee: formatMoney(feeMinor), net: formatMoney(amountMinor - feeMinor) }
}
