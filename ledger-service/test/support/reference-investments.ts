import type { DataOf } from '@cairn/ledger-contracts'
import {
  computeShare,
  findStandingProblem,
  formatAccount,
  getBalance,
  getInvestor,
  postAmount,
  type ReferenceBooks,
  type ReferenceInvestment,
  type Verdict,
} from './reference-books.ts'

export function openInvestment(books: ReferenceBooks, data: DataOf<'OpenInvestment'>): Verdict {
  const { investmentId, investorId, planId, amountMinor, planVersion } = data
  if (books.investments.has(investmentId)) return 'ID_ALREADY_USED'
  const why = findStandingProblem(books, investorId)
  if (why !== null) return why
  const plan = books.plans.get(planId)
  if (plan === undefined) return 'PLAN_UNKNOWN'
  const { terms, version } = plan
  if (terms.isArchived) return 'PLAN_CLOSED'
  if (planVersion !== null && planVersion !== version) return 'TERMS_CHANGED'
  if (amountMinor > getBalance(books, formatAccount(investorId, 'balance')))
    return 'INSUFFICIENT_FUNDS'
  if (amountMinor < terms.minimumMinor) return 'AMOUNT_BELOW_MINIMUM'
  if (terms.maximumMinor !== null && amountMinor > terms.maximumMinor) return 'AMOUNT_ABOVE_MAXIMUM'
  const promisedMinor = computeShare(amountMinor, terms.profitPpm)
  const isStrict = books.rules.coverageMode === 'strict'
  if (isStrict && getBalance(books, 'reserve') < promisedMinor) return 'FULLY_SUBSCRIBED'

  const investor = getInvestor(books, investorId)
  const bonusMinor = computeShare(amountMinor, terms.referralBonusPpm)
  const { referrerId } = investor
  const hasBonus =
    referrerId !== null &&
    bonusMinor > 0n &&
    books.rules.isReferralEnabled &&
    mayReceiveBonus(books, investorId, referrerId)
  const { coolingOffHours } = books.rules
  books.investments.set(investmentId, {
    status: 'active',
    investorId,
    terms,
    promisedMinor,
    creditedMinor: 0n,
    unitsDone: 0,
    principalMinor: amountMinor,
    startedHour: books.hour,
    bonusMinor: hasBonus ? bonusMinor : 0n,
    bonusTo: hasBonus ? referrerId : null,
    bonusDueHour: hasBonus ? books.hour + coolingOffHours : null,
  })
  investor.running += 1
  postAmount(
    books,
    formatAccount(investorId, 'balance'),
    formatAccount(investorId, 'principal'),
    amountMinor,
  )
  postAmount(books, 'reserve', 'committed', promisedMinor)
  return 'recorded'
}

function mayReceiveBonus(books: ReferenceBooks, investorId: string, referrerId: string): boolean {
  const referrer = getInvestor(books, referrerId)
  const areActive = [getInvestor(books, investorId), referrer].every(
    ({ standing }) => standing === 'active',
  )
  return areActive && referrer.lostMinor === 0n
}

export function payReferralBonus(books: ReferenceBooks, investmentId: string): Verdict {
  const found = books.investments.get(investmentId)
  if (found === undefined) return 'INVESTMENT_UNKNOWN'
  const { investorId, bonusTo, bonusDueHour } = found
  if (bonusTo === null || bonusDueHour === null || books.hour < bonusDueHour) return 'NOT_DUE'
  found.bonusDueHour = null
  if (mayReceiveBonus(books, investorId, bonusTo)) {
    postAmount(books, 'marketing', formatAccount(bonusTo, 'referral'), found.bonusMinor)
  } else {
    found.bonusTo = null
  }
  return 'recorded'
}

function findRunningInvestment(books: ReferenceBooks, id: string): ReferenceInvestment | Verdict {
  const found = books.investments.get(id)
  if (found === undefined) return 'INVESTMENT_UNKNOWN'
  return found.status === 'active' ? found : 'INVESTMENT_NOT_ACTIVE'
}

export function accrueThrough(
  books: ReferenceBooks,
  { investmentId, units }: DataOf<'AccrueThrough'>,
): Verdict {
  const found = findRunningInvestment(books, investmentId)
  if (typeof found === 'string') return found
  const { terms, investorId, promisedMinor, principalMinor } = found
  const hoursPerUnit = terms.unit === 'hours' ? 1 : 24
  const whole = Math.floor((books.hour - found.startedHour) / hoursPerUnit)
  if (units <= found.unitsDone || units > Math.min(whole, terms.duration)) return 'NOT_DUE'
  const creditedMinor = (promisedMinor * BigInt(units)) / BigInt(terms.duration)
  postAmount(
    books,
    'committed',
    formatAccount(investorId, 'profit'),
    creditedMinor - found.creditedMinor,
  )
  found.creditedMinor = creditedMinor
  found.unitsDone = units
  if (units < terms.duration) return 'recorded'
  found.status = 'completed'
  getInvestor(books, investorId).running -= 1
  const back = terms.returnPrincipal ? formatAccount(investorId, 'balance') : 'income'
  postAmount(books, formatAccount(investorId, 'principal'), back, principalMinor)
  return 'recorded'
}

export function denyInvestment(
  books: ReferenceBooks,
  { investmentId }: DataOf<'DenyInvestment'>,
  actor: string,
): Verdict {
  const found = findRunningInvestment(books, investmentId)
  if (typeof found === 'string') return found
  const { terms, investorId, promisedMinor, principalMinor } = found
  const hoursPerUnit = terms.unit === 'hours' ? 1 : 24
  const whole = Math.floor((books.hour - found.startedHour) / hoursPerUnit)
  const units = Math.max(Math.min(whole, terms.duration), found.unitsDone)
  const creditedMinor = (promisedMinor * BigInt(units)) / BigInt(terms.duration)
  postAmount(
    books,
    'committed',
    formatAccount(investorId, 'profit'),
    creditedMinor - found.creditedMinor,
  )
  found.creditedMinor = creditedMinor
  found.unitsDone = units
  const lostMinor = creditedMinor < principalMinor ? creditedMinor : principalMinor
  return endInvestmentEarly(books, found, {
    actor,
    keptMinor: terms.returnPrincipal ? 0n : lostMinor,
  })
}

export function cancelInvestment(
  books: ReferenceBooks,
  { investmentId, investorId }: DataOf<'CancelInvestment'>,
  actor: string,
): Verdict {
  const found = findRunningInvestment(books, investmentId)
  if (typeof found === 'string') return found
  if (found.investorId !== investorId) return 'NOT_YOURS'
  if (books.hour >= found.startedHour + books.rules.coolingOffHours) return 'COOLING_OFF_OVER'
  const profit = formatAccount(investorId, 'profit')
  if (getBalance(books, profit) < found.creditedMinor) return 'INSUFFICIENT_FUNDS'
  postAmount(books, profit, 'reserve', found.creditedMinor)
  const verdict = endInvestmentEarly(books, found, { actor, keptMinor: 0n })
  found.status = 'cancelled'
  found.creditedMinor = 0n
  return verdict
}

/**
 * Ends an investment early. Moves back three amounts: the principal less `keptMinor`, the promised
 * profit that is not credited, and a paid bonus.
 */
function endInvestmentEarly(
  books: ReferenceBooks,
  found: ReferenceInvestment,
  { actor, keptMinor }: { actor: string; keptMinor: bigint },
): Verdict {
  const { investorId, principalMinor, promisedMinor, creditedMinor, bonusMinor, bonusTo } = found
  found.status = 'denied'
  getInvestor(books, investorId).running -= 1
  const principal = formatAccount(investorId, 'principal')
  postAmount(books, principal, formatAccount(investorId, 'balance'), principalMinor - keptMinor)
  postAmount(books, principal, 'income', keptMinor)
  postAmount(books, 'committed', 'reserve', promisedMinor - creditedMinor)
  const isUnpaid = bonusTo === null || found.bonusDueHour !== null
  found.bonusDueHour = null
  if (isUnpaid) return 'recorded'
  const referral = formatAccount(bonusTo, 'referral')
  for (const request of books.requests.values()) {
    if (getBalance(books, referral) >= bonusMinor) break
    const isOfReferrer = request.investorId === bonusTo && request.wallet === 'referral'
    if (request.kind !== 'withdrawal' || request.status !== 'pending' || !isOfReferrer) continue
    request.status = 'declined'
    request.decidedBy = actor
    getInvestor(books, bonusTo).pending -= 1
    postAmount(books, formatAccount(bonusTo, 'held:referral'), referral, request.amountMinor)
  }
  const isSpent = getBalance(books, referral) < bonusMinor
  const returnedMinor = isSpent ? getBalance(books, referral) : bonusMinor
  postAmount(books, referral, 'marketing', returnedMinor)
  getInvestor(books, bonusTo).lostMinor += bonusMinor - returnedMinor
  return 'recorded'
}
