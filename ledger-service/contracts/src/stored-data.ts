import { getAccountKind, getInvestorId } from './accounts.ts'
import type { Posting } from './answers.ts'
import { formatCanonicalJson } from './canonical.ts'

type Data = Readonly<Record<string, unknown>>
type Implied = Readonly<Record<string, string | boolean>>

/**
 * The members of an event's data that follow from its postings, for the types that make up most of
 * a log. The stored bytes omit a member that equals the value from the postings.
 */
const IMPLIED = new Map<string, (postings: readonly Posting[]) => Implied>([
  ['ProfitAccrued', deriveAccrualData],
  ['InvestmentMatured', deriveMaturityData],
])

/** Returns the canonical JSON of the data as an event stores them. */
export function formatStoredData(type: string, data: object, postings: readonly Posting[]): string {
  const implied = IMPLIED.get(type)?.(postings)
  if (implied === undefined) return formatCanonicalJson(data)
  const kept = Object.entries(data).filter(([name, value]) => {
    const known = implied[name]
    return known === undefined || String(known) !== String(value)
  })
  return formatCanonicalJson(Object.fromEntries(kept))
}

/** Returns the whole data of an event from its stored data and its postings. */
export function expandStoredData(type: string, stored: Data, postings: readonly Posting[]): Data {
  const implied = IMPLIED.get(type)?.(postings)
  return implied === undefined ? stored : { ...implied, ...stored }
}

/**
 * For each event type that can omit the request hash, names the only command that leads to the
 * event and the members of the command's data.
 */
const ACCRUAL = { type: 'AccrueThrough', members: ['investmentId', 'units'] }
const REQUESTS = new Map([
  ['ProfitAccrued', ACCRUAL],
  ['InvestmentMatured', ACCRUAL],
])

/**
 * Returns the command of an event that stores no request hash. This command has the given data, and
 * no effective time, external id or metadata. Returns null if the type always stores a request
 * hash.
 */
export function getImpliedRequest(
  type: string,
  data: Data,
): { type: string; data: Data; effectiveAt: null } | null {
  const request = REQUESTS.get(type)
  if (request === undefined) return null
  const members = request.members.map((name) => [name, data[name]])
  return { type: request.type, data: Object.fromEntries(members), effectiveAt: null }
}

/** True if an event of this type stores no request hash when it results from this command. */
export function isRequestImplied(
  type: string,
  command: {
    type: string
    effectiveAt: string | null
    externalId?: string | null | undefined
    metadata?: object | null | undefined
  },
): boolean {
  const { effectiveAt, externalId = null, metadata = null } = command
  return (
    REQUESTS.get(type)?.type === command.type &&
    effectiveAt === null &&
    externalId === null &&
    metadata === null
  )
}

function deriveAccrualData(postings: readonly Posting[]): Implied {
  const credit = postings[1]
  const investorId = credit === undefined ? null : getInvestorId(credit.account)
  return credit === undefined || investorId === null
    ? {}
    : { investorId, profitMinor: String(credit.amountMinor) }
}

function deriveMaturityData(postings: readonly Posting[]): Implied {
  const find = (kind: string) => postings.find(({ account }) => getAccountKind(account) === kind)
  const principal = find('principal')
  const investorId = principal === undefined ? null : getInvestorId(principal.account)
  if (principal === undefined || investorId === null) return {}
  return {
    investorId,
    principalMinor: String(-principal.amountMinor),
    profitMinor: String(find('profit')?.amountMinor ?? 0n),
    isPrincipalReturned: find('balance') !== undefined,
  }
}
