import { type EventType, type Fact, parseFact } from '@cairn/ledger-contracts'
import { formatDollars } from '../ledger/dollars.ts'
import type { Letter } from './letter.ts'

/** Whom a mail goes to and what it says. */
export interface EventMail {
  userId: string
  letter: Letter
}

const TRANSACTIONS = { label: 'View Transactions', path: '/manage/investor/transactions' }
const INVESTMENTS = { label: 'View Investments', path: '/manage/investor/investments' }
const DASHBOARD = { label: 'Open your dashboard', path: '/manage/investor/dashboard' }

const SOURCES = {
  balance: 'Wallet Balance',
  profit: 'Investment Profit',
  referral: 'Referral Earnings',
} as const

const MAILED = [
  'DepositRequested',
  'DepositApproved',
  'DepositDeclined',
  'WithdrawalRequested',
  'WithdrawalApproved',
  'WithdrawalDeclined',
  'WithdrawalCancelled',
  'WalletFunded',
  'InvestmentOpened',
  'InvestmentMatured',
  'InvestmentDenied',
] as const satisfies readonly EventType[]
export const MAILED_EVENTS: ReadonlySet<string> = new Set(MAILED)

type MailedFact = Extract<Fact, { type: (typeof MAILED)[number] }>

export function toEventMail(type: string, data: unknown): EventMail | null {
  if (!MAILED_EVENTS.has(type)) return null
  // The set holds exactly the types of the union.
  const fact = parseFact(type, data) as MailedFact
  return { userId: fact.data.investorId, letter: write(fact) }
}

function write(fact: MailedFact): Letter {
  switch (fact.type) {
    case 'DepositRequested':
    case 'DepositApproved':
    case 'DepositDeclined':
      return writeDeposit(fact)
    case 'WithdrawalRequested':
    case 'WithdrawalApproved':
    case 'WithdrawalDeclined':
    case 'WithdrawalCancelled':
      return writeWithdrawal(fact)
    case 'WalletFunded':
      return {
        subject: `${formatDollars(fact.data.amountMinor)} added to your wallet`,
        paragraphs: ['Your wallet has been credited by the platform.'],
        facts: [
          ['Amount', formatDollars(fact.data.amountMinor)],
          ['Wallet', SOURCES[fact.data.wallet]],
        ],
        link: DASHBOARD,
      }
    case 'InvestmentOpened':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
      return writeInvestment(fact)
  }
}

function writeDeposit(fact: Extract<MailedFact, { type: `Deposit${string}` }>): Letter {
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
  }
}

function writeWithdrawal(fact: Extract<MailedFact, { type: `Withdrawal${string}` }>): Letter {
  const { amountMinor, feeMinor, source } = fact.data
  const amount = formatDollars(amountMinor)
  const facts = [
    ['Amount', amount],
    ['From', SOURCES[source]],
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
  }
}

function writeInvestment(fact: Extract<MailedFact, { type: `Investment${string}` }>): Letter {
  const amount = formatDollars(fact.data.principalMinor)
  switch (fact.type) {
    case 'InvestmentOpened': {
      const { planName, promisedMinor, duration, unit, expiresAt } = fact.data
      return {
        subject: `Investment of ${amount} started`,
        paragraphs: ['Your investment has started.'],
        facts: [
          ['Plan', planName ?? 'No Plan'],
          ['Amount', amount],
          ['Profit over the term', formatDollars(promisedMinor)],
          ['Term', `${duration} ${unit}`],
          ['Ends', `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`],
        ],
        link: INVESTMENTS,
      }
    }
    case 'InvestmentMatured': {
      const { creditedMinor, isPrincipalReturned } = fact.data
      const principal = isPrincipalReturned
        ? 'The amount you invested is back in your wallet.'
        : 'As the plan said, the amount you invested is not returned.'
      return {
        subject: `Investment of ${amount} matured`,
        paragraphs: [`Your investment has reached the end of its term. ${principal}`],
        facts: [
          ['Amount', amount],
          ['Profit', formatDollars(creditedMinor)],
        ],
        link: INVESTMENTS,
      }
    }
    case 'InvestmentDenied':
      return {
        subject: `Investment of ${amount} ended`,
        paragraphs: [
          'Your investment was ended by the platform. The amount is back in your wallet.',
          ...reasonLines(fact.data.reason),
        ],
        facts: [['Amount', amount]],
        link: INVESTMENTS,
      }
  }
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

function reasonLines(reason: string | null): readonly string[] {
  return reason === null ? [] : [`Reason: ${reason}`]
}
