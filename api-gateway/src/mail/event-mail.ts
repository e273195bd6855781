import { type EventType, type Fact, parseFact } from '@cairn/ledger-contracts'
import { formatDollars } from '../ledger/dollars.ts'
import { writeInvestment } from './investment-letters.ts'
import { type Letter, WALLET_NAMES } from './letter.ts'
import { writeDeposit, writeWithdrawal } from './transaction-letters.ts'

/** Whom a mail goes to and what it says. */
export interface EventMail {
  userId: string
  letter: Letter
}

const DASHBOARD = { label: 'Open your dashboard', path: '/manage/investor/dashboard' }

const MAILED = [
  'DepositRequested',
  'DepositApproved',
  'DepositDeclined',
  'DepositReversed',
  'WithdrawalRequested',
  'WithdrawalApproved',
  'WithdrawalDeclined',
  'WithdrawalCancelled',
  'WithdrawalReversed',
  'WalletFunded',
  'InvestmentOpened',
  'InvestmentMatured',
  'InvestmentDenied',
  'InvestmentCancelled',
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
    case 'DepositReversed':
      return writeDeposit(fact)
    case 'WithdrawalRequested':
    case 'WithdrawalApproved':
    case 'WithdrawalDeclined':
    case 'WithdrawalCancelled':
    case 'WithdrawalReversed':
      return writeWithdrawal(fact)
    case 'WalletFunded':
      return {
        subject: `${formatDollars(fact.data.amountMinor)} added to your wallet`,
        paragraphs: ['Your wallet has been credited by the platform.'],
        facts: [
          ['Amount', formatDollars(fact.data.amountMinor)],
          ['Wallet', WALLET_NAMES[fact.data.wallet]],
        ],
        link: DASHBOARD,
      }
    case 'InvestmentOpened':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
    case 'InvestmentCancelled':
      return writeInvestment(fact)
  }
}
