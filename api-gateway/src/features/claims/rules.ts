import { addDays, type ClaimKey, getDayIn } from '@cairn/gateway-contracts'
import { formatDay, formatExactMoney, formatMoney } from '../../platform/site-format.ts'
import type { ClaimFacts, StatedClaim } from './facts.ts'
import { evaluateSpeed, evaluateTracking } from './measured.ts'
import { evaluateSecurity } from './security.ts'
import { toEvidence, toLimitEvidence, type Verdict } from './verdict.ts'

const ATTESTATION_DAYS_MAX = 35

export interface ClaimRule {
  wording: string
  /** One sentence that says how the claim is verified. */
  rule: string
  judge(facts: ClaimFacts): Verdict
}

/** The rule of each public claim. Only a change to the code can change a claim or its rule. */
export const CLAIM_RULES: Readonly<Record<ClaimKey, ClaimRule>> = {
  'profit-guarantee': {
    wording: '100% profit guarantee',
    rule: 'The reserve covers all promised profit, attested assets cover everything that clients could claim, and the legal entity is named.',
    judge: evaluateGuarantee,
  },
  'secured-investments': {
    wording: 'Secured investments',
    rule: 'Administrators log in with a second factor, withdrawals to a new bank account have a waiting period, and the amount of a withdrawal is held when it is requested.',
    judge: evaluateSecurity,
  },
  'instant-transactions': {
    wording: 'Instant transactions',
    rule: 'At least 20 requests were decided in the last 30 days, nine out of ten within a minute.',
    judge: evaluateSpeed,
  },
  'support-hours': {
    wording: '24/7 support',
    rule: 'The operator states the hours of the support, and a second person approves them.',
    judge: (facts) =>
      evaluateStatedClaim(facts, 'support-hours', {
        needs: ['hours'],
        text: ({ hours }) => `Support: ${hours}`,
        fallback: 'You can write to us at any time, but no hours of answers are stated',
      }),
  },
  'real-time-tracking': {
    wording: 'Real-time tracking',
    rule: 'Of the last 1,000 events (at least 20), nine out of ten reached open pages within two seconds.',
    judge: evaluateTracking,
  },
  'expert-guidance': {
    wording: 'Expert guidance',
    rule: 'The name, the qualification and the register of the expert are stated and approved by two people.',
    judge: (facts) =>
      evaluateStatedClaim(facts, 'expert-guidance', {
        needs: ['person', 'qualification', 'registerUrl'],
        text: ({ person, qualification }) => `Guidance by ${person}, ${qualification}`,
        fallback: '',
      }),
  },
  'licensed-exchange': {
    wording: 'Licensed exchange',
    rule: 'Regulator, licence number, scope, countries and register are stated and approved by two people. The claim ends when the licence expires.',
    judge: (facts) =>
      evaluateStatedClaim(facts, 'licensed-exchange', {
        needs: ['regulator', 'licenceNumber', 'registerUrl', 'scope', 'countries', 'expiresAt'],
        text: ({ regulator, licenceNumber }) => `Licensed by ${regulator}, no. ${licenceNumber}`,
        fallback: 'The operator states no licence',
      }),
  },
  'free-transfers': {
    wording: 'Free unlimited transfers',
    rule: 'The fees in force are zero, and no limit is set for withdrawals.',
    judge: evaluateFees,
  },
  'multi-currency': {
    wording: 'Multi-currency accounts',
    rule: 'The ledger has accounts in more than one currency.',
    judge: ({ settings }) => ({
      state: 'withheld',
      text: `Accounts are kept in ${settings.general.defaultCurrency}`,
      evidence: [],
      reasons: ['The ledger has accounts in one currency'],
    }),
  },
  'regulated-compliance': {
    wording: 'Regulated compliance',
    rule: 'Regulator, register, scope and expiry of the licence are stated and approved by two people. The claim ends when the licence expires.',
    judge: (facts) =>
      evaluateStatedClaim(facts, 'regulated-compliance', {
        needs: ['regulator', 'registerUrl', 'scope', 'expiresAt'],
        text: ({ regulator, scope }) => `Supervised by ${regulator}: ${scope}`,
        fallback: 'The operator states no licence',
      }),
  },
  'fund-protection': {
    wording: 'Fund protection',
    rule: 'The segregation of client money is described and approved by two people.',
    judge: (facts) =>
      evaluateStatedClaim(facts, 'fund-protection', {
        needs: ['text'],
        text: ({ text }) => text ?? '',
        fallback:
          'The ledger keeps the balance of each person in an account of its own. This says nothing about bank accounts, and no protection scheme covers the money',
      }),
  },
}

function evaluateGuarantee(facts: ClaimFacts): Verdict {
  const { book, attestation, settings, isDemo, nowMs } = facts
  const reasons: string[] = []
  if (book.openingMinor !== 0n) reasons.push('The import of opening balances is not complete')
  if (book.percentage < 100) reasons.push('Not all promised profit is set aside')
  // The demo has no bank account to attest, because its reserve exists only in the ledger.
  if (!isDemo) {
    const today = getDayIn(settings.general.timezone, nowMs)
    if (attestation === null || attestation.asOf < addDays(today, -ATTESTATION_DAYS_MAX)) {
      reasons.push('No attestation of the last 35 days is confirmed by two people')
    } else if (attestation.assetsMinor < book.liabilitiesMinor) {
      reasons.push('Attested assets do not cover what clients could claim')
    }
    if (settings.general.legalName === null) reasons.push('The legal entity is not named')
  }
  const proof = [
    toEvidence(
      'Reserve',
      `${formatMoney(book.committedMinor - book.shortfallMinor)} covers ${formatMoney(book.committedMinor)} promised on active plans (${book.percentage}%)`,
    ),
    ...(attestation === null
      ? []
      : [
          toEvidence(
            'Attested assets',
            `${formatMoney(attestation.assetsMinor)} on ${formatDay(attestation.asOf)}`,
          ),
        ]),
    toLimitEvidence('Your principal, and anything after a plan has ended'),
    toEvidence('Payment accounts', describePaymentAccounts(facts)),
    toEvidence(
      '“100% profit guarantee”',
      'Means only that the reserve in the ledger covers this profit today; it is not a legal guarantee',
    ),
    ...(isDemo ? [toEvidence('Demo', 'Every figure is demo data')] : []),
  ]
  return reasons.length === 0
    ? {
        state: 'proved',
        text: 'Promised profit covered by the reserve today',
        evidence: proof,
        reasons,
      }
    : { state: 'withheld', text: 'Profit is not guaranteed', evidence: proof, reasons }
}

/** Says how much of what is owed to investors the accounts of the payment options hold. */
function describePaymentAccounts({ book, paymentAccountsMinor }: ClaimFacts): string {
  const rest = paymentAccountsMinor - book.liabilitiesMinor
  const other = book.cashMinor - paymentAccountsMinor
  const cash = other > 0n ? ` of ${formatExactMoney(book.cashMinor)} cash` : ''
  const held = `In the ledger, they hold ${formatExactMoney(paymentAccountsMinor)}${cash}`
  if (rest >= 0n) return `${held}. This covers what is owed to investors`
  const short = `${held}. These ${formatExactMoney(paymentAccountsMinor)} are ${formatExactMoney(-rest)} less than is owed to investors`
  return other > 0n
    ? `${short}. The remaining ${formatExactMoney(other)} of the cash is booked to the treasury, which has no payment account`
    : short
}

function evaluateFees({ rules }: ClaimFacts): Verdict {
  const { depositFeePpm, withdrawalFeePpm } = rules
  const limits = listFeeLimits(rules)
  const isFree = depositFeePpm === 0 && withdrawalFeePpm === 0
  const isUnlimited = limits.length === 0
  const table = [
    toEvidence('Deposit fee', `${depositFeePpm / 10_000}%`),
    toEvidence('Withdrawal fee', `${withdrawalFeePpm / 10_000}%`),
    toEvidence('Minimum withdrawal', formatMoney(rules.minimumWithdrawalMinor)),
    toEvidence('Withdrawal limit', isUnlimited ? 'No limit' : limits.join(', ')),
    toEvidence('Approval', 'By an administrator'),
    toEvidence('Invested principal', 'Locked until the end'),
  ]
  const reasons = [
    ...(isFree ? [] : ['There are fees']),
    ...(isUnlimited ? [] : ['Withdrawals have a limit for each period']),
  ]
  const fees = isFree
    ? 'Transfers are free'
    : `Deposits cost ${depositFeePpm / 10_000}%, withdrawals ${withdrawalFeePpm / 10_000}%`
  const text = isUnlimited ? fees : `${fees}; at most ${limits.join(' and ')} is withdrawn`
  return reasons.length === 0
    ? { state: 'proved', text: 'Free unlimited transfers', evidence: table, reasons }
    : { state: 'withheld', text, evidence: table, reasons }
}

function listFeeLimits(rules: ClaimFacts['rules']): readonly string[] {
  const { dailyWithdrawalLimitMinor: daily, monthlyWithdrawalLimitMinor: monthly } = rules
  return [
    ...(daily === null ? [] : [`${formatMoney(daily)} a day`]),
    ...(monthly === null ? [] : [`${formatMoney(monthly)} a month`]),
  ]
}

type Statement = StatedClaim['statement']

function evaluateStatedClaim(
  facts: ClaimFacts,
  key: ClaimKey,
  shape: {
    needs: readonly (keyof Statement)[]
    text: (statement: Statement) => string
    fallback: string
  },
): Verdict {
  const stated = facts.stated.get(key)
  const createWithheldVerdict = (reason: string): Verdict => ({
    state: 'withheld',
    text: shape.fallback,
    evidence: [],
    reasons: [reason],
  })
  if (stated === undefined) return createWithheldVerdict('No statement is entered')
  const { statement } = stated
  const missing = shape.needs.filter((name) => (statement[name] ?? null) === null)
  if (missing.length > 0)
    return createWithheldVerdict(`Not stated: ${missing.map(findFieldLabel).join(', ')}`)
  const { expiresAt = null, registerUrl = null } = statement
  const today = getDayIn(facts.settings.general.timezone, facts.nowMs)
  if (expiresAt !== null && expiresAt < today)
    return createWithheldVerdict('The statement has expired')
  const given = Object.entries(statement).filter(
    ([name, value]) => value !== null && value !== undefined && name !== 'registerUrl',
  )
  return {
    state: 'stated',
    text: shape.text(statement),
    evidence: [
      ...given.map(([name, value]) =>
        toEvidence(
          LABELS[name] ?? name,
          name === 'expiresAt' ? formatDay(String(value)) : String(value),
        ),
      ),
      ...(registerUrl === null ? [] : [toEvidence('Register', registerUrl, registerUrl)]),
    ],
    reasons: [],
  }
}

const LABELS: Readonly<Record<string, string>> = {
  person: 'Person',
  qualification: 'Qualification',
  regulator: 'Regulator',
  licenceNumber: 'Licence number',
  scope: 'Scope',
  countries: 'Countries',
  expiresAt: 'Valid until',
  hours: 'Hours',
  text: 'Statement',
}

/** Labels that the form shows instead of the labels in `LABELS`. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  person: 'Name of the person',
  registerUrl: 'Address in the public register',
}

function findFieldLabel(name: keyof Statement): string {
  return FIELD_LABELS[name] ?? LABELS[name] ?? name
}
