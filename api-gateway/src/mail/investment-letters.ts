import type { Fact } from '@cairn/ledger-contracts'
import { formatDollars } from '../ledger/dollars.ts'
import { type Letter, reasonLines } from './letter.ts'

export type InvestmentFact = Extract<
  Fact,
  { type: 'InvestmentOpened' | 'InvestmentMatured' | 'InvestmentDenied' | 'InvestmentCancelled' }
>

const INVESTMENTS = { label: 'View Investments', path: '/manage/investor/investments' }

export function writeInvestment(fact: InvestmentFact): Letter {
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
    case 'InvestmentMatured':
      return writeMatured(fact)
    case 'InvestmentCancelled':
      return {
        subject: `Investment of ${amount} cancelled`,
        paragraphs: ['You cancelled your investment in time. The amount is back in your wallet.'],
        facts: [['Amount', amount]],
        link: INVESTMENTS,
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

function writeMatured(fact: Extract<InvestmentFact, { type: 'InvestmentMatured' }>): Letter {
  const amount = formatDollars(fact.data.principalMinor)
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
