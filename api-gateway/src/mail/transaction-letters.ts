import type { Fact } from '@cairn/ledger-contracts'
import { formatDollars } from '../ledger/dollars.ts'
import { type Letter, reasonLines, WALLET_NAMES } from './letter.ts'

export type DepositFact = Extract<
  Fact,
  { type: 'DepositRequested' | 'DepositApproved' | 'DepositDeclined' | 'DepositReversed' }
>
export type WithdrawalFact = Extract<
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

const TRANSACTIONS = { label: 'View Transactions', path: '/manage/investor/transactions' }
const DASHBOARD = { label: 'Open your dashboard', path: '/manage/investor/dashboard' }

export function writeDeposit(fact: DepositFact): Letter {
  const { amountMinor, feeMinor } = fact.data
  const amount = formatDollars(amountMinor)
  const facts = [['Amount', amount], ...feeFacts(feeMinor, 'Credited', amountMinor)] as const
  switch (fact.type) {
    case 'DepositRequested':
      return {
        subject: `Deposit of ${amount} received`,
        paragraphs: ['We have received your deposit and are checking the payment.'],
        facts,
        link: TRANSACTIONS,
      }
    case 'DepositApproved':
      return {
        subject: `Deposit of ${amount} approved`,
        paragraphs: ['Your deposit has been approved and is in your wallet.'],
        facts: [...facts, ...requestedFacts(fact.data)],
        link: DASHBOARD,
      }
    case 'DepositDeclined':
      return {
        subject: `Deposit of ${amount} declined`,
        paragraphs: ['Your deposit has been declined.', ...reasonLines(fact.data.reason)],
        facts: [['Amount', amount]],
        link: TRANSACTIONS,
      }
    case 'DepositReversed':
      return {
        subject: `Deposit of ${amount} corrected`,
        paragraphs: [
          fact.data.to === 'success'
            ? 'Your deposit, declined before, has been approved and is in your wallet.'
            : 'Your deposit, approved before, has been taken back out of your wallet.',
          ...reasonLines(fact.data.reason),
        ],
        facts,
        link: TRANSACTIONS,
      }
  }
}

export function writeWithdrawal(fact: WithdrawalFact): Letter {
  const { amountMinor, feeMinor, source } = fact.data
  const amount = formatDollars(amountMinor)
  const facts = [
    ['Amount', amount],
    ['From', WALLET_NAMES[source]],
    ...feeFacts(feeMinor, 'Paid out', amountMinor),
  ] as const
  const letter = { facts, link: TRANSACTIONS }
  switch (fact.type) {
    case 'WithdrawalRequested':
      return {
        ...letter,
        subject: `Withdrawal of ${amount} requested`,
        paragraphs: ['We have received your request; the amount is held until it is decided.'],
      }
    case 'WithdrawalApproved':
      return {
        ...letter,
        subject: `Withdrawal of ${amount} approved`,
        paragraphs: ['Your withdrawal has been approved and paid to your bank account.'],
        facts: [...facts, ...referenceFacts(fact.data.payoutReference)],
      }
    case 'WithdrawalDeclined':
      return {
        ...letter,
        subject: `Withdrawal of ${amount} declined`,
        paragraphs: [
          'Your withdrawal has been declined. The amount is back in your wallet.',
          ...reasonLines(fact.data.reason),
        ],
      }
    case 'WithdrawalCancelled':
      return {
        ...letter,
        subject: `Withdrawal of ${amount} cancelled`,
        paragraphs: ['You cancelled your withdrawal. The amount is back in your wallet.'],
      }
    case 'WithdrawalReversed':
      return {
        ...letter,
        subject: `Withdrawal of ${amount} corrected`,
        paragraphs: [reversedWithdrawal(fact.data.to), ...reasonLines(fact.data.reason)],
      }
  }
}

function reversedWithdrawal(to: 'success' | 'declined'): string {
  return to === 'success'
    ? 'Your withdrawal, declined before, has been paid to your bank account.'
    : 'Your withdrawal, approved before, did not go through. The amount is back in your wallet.'
}

/** Where another amount arrived than the one that was stated. */
function requestedFacts(data: { amountMinor: bigint; requestedMinor: bigint }) {
  if (data.requestedMinor === data.amountMinor) return []
  return [['You stated', formatDollars(data.requestedMinor)]] as const
}

function feeFacts(feeMinor: bigint, netLabel: string, amountMinor: bigint) {
  if (feeMinor === 0n) return []
  return [
    ['Fee', formatDollars(feeMinor)],
    [netLabel, formatDollars(amountMinor - feeMinor)],
  ] as const
}

function referenceFacts(reference: string | null) {
  return reference === null || reference === '' ? [] : ([['Reference', reference]] as const)
}
