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
    case 'InvestmentDenied': {
      const { returnedMinor, reason } = fact.data
      const principal = describeReturnedPrincipal(fact.data)
      // `amount` is what comes back, as in the templates that administrators saved before.
      const values = { amount: formatMoney(returnedMinor), invested: amount, principal, reason }
      return { kind: 'investment-denied', values }
    }
  }
}

/** A plan that returns no principal pays at least the principal, also if the platform ends it. */
function describeReturnedPrincipal({
  principalMinor,
  returnedMinor,
}: Extract<InvestmentFact, { type: 'InvestmentDenied' }>['data']): string {
  if (returnedMinor === principalMinor) {
    return 'The amount you invested is back in your Wallet Balance.'
  }
  return returnedMinor === 0n
    ? 'Nothing is returned to your Wallet Balance, because the credited profit is not less than the amount you invested.'
    : 'The amount you invested, less the credited profit, is back in your Wallet Balance.'
}
