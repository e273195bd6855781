import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { csvEndpoint, endpoint, NoContent } from './endpoint.ts'
import { DOCUMENT_FAILURES, LEDGER_QUERY_FAILURES, noSuch } from './failures.ts'
import { byId, Instant, identity, optionalText } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { Person } from './users.ts'

/** The current coverage of the promised profit by the operator's money. */
export const Coverage = z.object({
  /** The operator's own money that is not committed. */
  reserve: MoneyOut,
  /** Profit that is promised to running investments and not yet credited. */
  committed: MoneyOut,
  /**
   * Promised profit that the operator's own money does not back: the amount by which its accounts
   * are below zero.
   */
  shortfall: MoneyOut,
  /** The share of `committed` that is covered, 0 to 100; 100 if nothing is committed. */
  percentage: z.number().min(0).max(100),
  mode: z.enum(['disclose', 'strict']),
  asOf: Instant,
  /** All claims of investors: wallets, held money and running principal. */
  liabilities: MoneyOut,
  /** The operator's fees that were not moved to the reserve. */
  fees: MoneyOut,
  /** Principal that plans did not return. */
  income: MoneyOut,
  /** Negative by the bonuses and fundings that the operator has not paid in yet. */
  marketing: MoneyOut,
  /** Negative by the corrections in favour of investors that the operator has not paid in yet. */
  adjustments: MoneyOut,
  /**
   * Balance of the operator's bank accounts according to the ledger: the sum of liabilities,
   * committed, reserve, fees, income, marketing and adjustments.
   */
  cash: MoneyOut,
})
export type Coverage = z.infer<typeof Coverage>

export const getCoverage = endpoint({
  method: 'GET',
  path: '/public/coverage',
  access: 'anyone',
  response: z.object({ coverage: Coverage }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const CLAIM_KEYS = [
  'profit-guarantee',
  'secured-investments',
  'instant-transactions',
  'support-hours',
  'real-time-tracking',
  'expert-guidance',
  'licensed-exchange',
  'free-transfers',
  'multi-currency',
  'regulated-compliance',
  'fund-protection',
] as const
export const ClaimKey = z.enum(CLAIM_KEYS)
export type ClaimKey = z.infer<typeof ClaimKey>

/**
 * A statement that the site may publish. `proved`: a rule in the code gives the evidence. `stated`:
 * one administrator stated it and another approved it. `withheld`: the text may not be shown;
 * `fallback` is shown instead.
 */
export const Claim = z.object({
  key: ClaimKey,
  wording: z.string(),
  state: z.enum(['proved', 'stated', 'withheld']),
  /** The text that is shown now: the claim itself or its fallback. */
  text: z.string(),
  /** The measured facts, each with its source; empty if there are none. */
  evidence: z.array(
    z.object({ label: z.string(), value: z.string(), link: z.string().nullable() }),
  ),
  /** How the claim is verified. */
  rule: z.string(),
  asOf: Instant,
})
export type Claim = z.infer<typeof Claim>

export const listPublicClaims = endpoint({
  method: 'GET',
  path: '/public/claims',
  access: 'anyone',
  response: z.object({ claims: z.array(Claim) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** The facts that the operator states; each claim requires different fields. */
export const Statement = z.strictObject({
  person: optionalText('Name', 120),
  qualification: optionalText('Qualification', 200),
  regulator: optionalText('Regulator', 200),
  licenceNumber: optionalText('Licence number', 120),
  registerUrl: z
    .union([z.literal('').transform(() => null), z.null(), z.url().max(300)])
    .optional(),
  scope: optionalText('Scope', 300),
  countries: optionalText('Countries', 300),
  expiresAt: z.union([z.literal('').transform(() => null), z.null(), z.iso.date()]).optional(),
  hours: optionalText('Hours', 200),
  text: optionalText('Statement', 500),
})

export const AdminClaim = Claim.extend({
  statement: z.record(z.string(), z.string().nullable()).nullable(),
  statedBy: Person.optional(),
  statedAt: Instant.nullable(),
  approvedBy: Person.optional(),
  approvedAt: Instant.nullable(),
  /** Why the claim has this state. */
  reasons: z.array(z.string()),
})
export type AdminClaim = z.infer<typeof AdminClaim>

export const listClaims = endpoint({
  method: 'GET',
  path: '/admin/claims',
  permission: 'claims.read',
  response: z.object({ claims: z.array(AdminClaim) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

const claimKey = z.strictObject({ key: ClaimKey })
const oneClaim = z.object({ claim: AdminClaim })

/**
 * A statement is answered with 409 `CHANGE_REQUESTED`: it is stored after another administrator has
 * approved it, and the previous one stays until then. An empty statement withdraws the claim at once.
 */
export const stateClaim = endpoint({
  method: 'PUT',
  path: '/admin/claims/:key',
  permission: 'claims.write',
  request: z.strictObject({ params: claimKey, body: Statement.extend(changeReason) }),
  response: oneClaim,
  failures: [...CHANGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/** The assets of the operator's bank accounts on a day, with the supporting document. */
export const Attestation = z.object({
  ...identity,
  asOf: z.iso.date(),
  assets: MoneyOut,
  note: z.string().nullable(),
  document: z.string(),
  documentSha256: z.string(),
  madeBy: Person.optional(),
  madeAt: Instant,
  confirmedBy: Person.optional(),
  confirmedAt: Instant,
})
export type Attestation = z.infer<typeof Attestation>

export const listAttestations = endpoint({
  method: 'GET',
  path: '/admin/attestations',
  permission: 'claims.read',
  response: z.object({ attestations: z.array(Attestation) }),
})

/**
 * Answers 409 `CHANGE_REQUESTED`: the attestation is stored after another administrator has compared
 * it with the document.
 */
export const createAttestation = endpoint({
  method: 'POST',
  path: '/admin/attestations',
  permission: 'attestations.write',
  request: z.strictObject({
    body: z.strictObject({
      asOf: z.iso.date('Enter the day of the statement'),
      assets: MoneyIn,
      note: optionalText('Note', 500),
    }),
  }),
  upload: { field: 'document' },
  status: 204,
  response: NoContent,
  failures: [...DOCUMENT_FAILURES, ...CHANGE_FAILURES],
})

export const getAttestationDocument = endpoint({
  method: 'GET',
  path: '/admin/attestations/:id/document',
  permission: 'claims.read',
  request: byId,
  response: z.null(),
  answers: 'file',
  failures: [noSuch('attestation')],
})

export const exportClaims = csvEndpoint({
  path: '/admin/claims.csv',
  permission: 'claims.read',
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportAttestations = csvEndpoint({
  path: '/admin/attestations.csv',
  permission: 'claims.read',
})
