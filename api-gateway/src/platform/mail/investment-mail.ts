import type { Fact } from '@cairn/ledger-contracts'
import { formatMoney, formatSiteTime } from '../site-format.ts'
import type { MailName } from './mail-kinds.ts'
import type { Values } from './markup.ts'

type InvestmentFact = Extract<
  Fact,
  { type: 'InvestmentOpened' | 'InvestmentMatured' | 'InvestmentDenied' | 'InvestmentCancelled' }
>

export function writeInvestmentMail(fact: InvestmentFact): { kind: MailName; values: Values } {
  const amount = formatMoney(fact.data.principalMinor)
  switch (fact.type) {
    case 'InvestmentOpened': {
      const { planName, promisedMinor, duration, unit, expiresAt } = fact.data
      const values = {
        amount,
        plan: planName ?? 'No Plan',
        profit: formatMoney(promisedMinor),
        term: `${duration} ${unit}`,
        ends: formatSiteTime(expiresAt),
      }
      return { kind: 'investment-started', values }
    }
    case 'InvestmentMatured': {
      const principal = fact.data.isPrincipalReturned
        ? 'The amount you invested is back in your Wallet Balance.'
        : 'As stated in the terms of the plan, the amount you invested is not returned.'
      const profit = formatMoney(fact.data.creditedMinor)
      return { kind: 'investment-matured', values: { amount, profit, principal } }
    }
    case 'InvestmentCancelled':
      return { kind: 'investment-cancelled', values: { amount } }
    case 'InvestmentDenied':
      return {
        kind: 'investment-denied',
        values: { amount: formatMoney(fact.data.returnedMinor), reason: fact.data.reason },
      }
  }
}
