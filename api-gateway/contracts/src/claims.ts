import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED, noSuch, PICTURE, secondNeeded } from './failures.ts'
import { byId, Instant, identity, optionalText } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { Person } from './users.ts'

/** What was promised against what is set aside, as of now. */
export const Coverage = z.object({
  /** The operator's own money that nothing is promised from. */
  reserve: MoneyOut,
  /** Profit promised to running investments and not yet credited. */
  committed: MoneyOut,
  /** Promised with nobody's money behind it: how far the operator's accounts are below zero. */
  shortfall: MoneyOut,
  /** Of what is committed, 0 to 100; 100 while nothing is committed. */
  percentage: z.number().min(0).max(100),
  mode: z.enum(['disclose', 'strict']),
  asOf: Instant,
  /** All that investors could claim: wallets, held money and running principal. */
  liabilities: MoneyOut,
  /** The operator's earnings that were not moved to the reserve. */
  fees: MoneyOut,
  /** Principal that plans did not return. */
  income: MoneyOut,
  /** Below zero: bonuses and gifts that the operator has not paid in yet. */
  marketing: MoneyOut,
  /** Below zero: corrections in favour of investors that the operator has not paid in yet. */
  adjustments: MoneyOut,
  /**
   * What the books say the operator's bank accounts hold: the sum of liabilities, committed,
   * reserve, fees, income, marketing and adjustments.
   */
  cash: MoneyOut,
})
export type Coverage = z.infer<typeof Coverage>

export const getCoverage = endpoint({
  method: 'GET',
  path: '/public/coverage',
  access: 'anyone',
  response: z.object({ coverage: Coverage }),
  failures: [...LEDGER_ASKED],
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
 * What the site may say. `proved`: measured here, with its evidence. `stated`: the operator says so
 * and two people approved it. `withheld`: the wording may not be shown; `fallback` is said instead.
 */
export const Claim = z.object({
  key: ClaimKey,
  wording: z.string(),
  state: z.enum(['proved', 'stated', 'withheld']),
  /** What stands there now: the wording itself, or what replaces it. */
  text: z.string(),
  /** Each with what it is based on; empty when nothing is. */
  evidence: z.array(
    z.object({ label: z.string(), value: z.string(), link: z.string().nullable() }),
  ),
  /** How we know. */
  rule: z.string(),
  asOf: Instant,
})
export type Claim = z.infer<typeof Claim>

export const listPublicClaims = endpoint({
  method: 'GET',
  path: '/public/claims',
  access: 'anyone',
  response: z.object({ claims: z.array(Claim) }),
  failures: [...LEDGER_ASKED],
})

/** What the operator states about itself; each kind of claim asks for other facts. */
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
  /** Why it is in the state it is in. */
  reasons: z.array(z.string()),
})
export type AdminClaim = z.infer<typeof AdminClaim>

export const listClaims = endpoint({
  method: 'GET',
  path: '/admin/claims',
  access: 'admin',
  response: z.object({ claims: z.array(AdminClaim) }),
  failures: [...LEDGER_ASKED],
})

const claimKey = z.strictObject({ key: ClaimKey })
const oneClaim = z.object({ claim: AdminClaim })

/** Replaces what was stated; an approval given to the old one ends with it. */
export const stateClaim = endpoint({
  method: 'PUT',
  path: '/admin/claims/:key',
  access: 'admin',
  request: z.strictObject({ params: claimKey, body: Statement }),
  response: oneClaim,
  failures: [...LEDGER_ASKED],
})

/** By somebody else than who stated it. */
export const approveClaim = endpoint({
  method: 'PATCH',
  path: '/admin/claims/:key/approve',
  access: 'admin',
  request: z.strictObject({ params: claimKey }),
  response: oneClaim,
  failures: [
    failure(409, 'NOT_STATED', 'Nothing is stated that could be approved'),
    secondNeeded('Another administrator has to approve what you stated'),
    ...LEDGER_ASKED,
  ],
})

/** What stands in the operator's bank accounts, with the document that says so. */
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
  confirmedAt: Instant.nullable(),
})
export type Attestation = z.infer<typeof Attestation>

export const listAttestations = endpoint({
  method: 'GET',
  path: '/admin/attestations',
  access: 'admin',
  response: z.object({ attestations: z.array(Attestation) }),
})

export const createAttestation = endpoint({
  method: 'POST',
  path: '/admin/attestations',
  access: 'admin',
  request: z.strictObject({
    body: z.strictObject({
      asOf: z.iso.date('Enter the day of the statement'),
      assets: MoneyIn,
      note: optionalText('Note', 500),
    }),
  }),
  upload: { field: 'document' },
  status: 201,
  response: z.object({ attestation: Attestation }),
  failures: [PICTURE],
})

export const confirmAttestation = endpoint({
  method: 'PATCH',
  path: '/admin/attestations/:id/confirm',
  access: 'admin',
  request: byId,
  response: z.object({ attestation: Attestation }),
  failures: [
    noSuch('statement of assets'),
    secondNeeded('Another administrator has to confirm what you wrote down'),
  ],
})

export const getAttestationDocument = endpoint({
  method: 'GET',
  path: '/admin/attestations/:id/document',
  access: 'admin',
  request: byId,
  response: z.null(),
  answers: 'file',
  failures: [noSuch('statement of assets')],
})

export const exportClaims = csvEndpoint({
  path: '/admin/claims.csv',
  access: 'admin',
  failures: [...LEDGER_ASKED],
})

export const exportAttestations = csvEndpoint({ path: '/admin/attestations.csv', access: 'admin' })
