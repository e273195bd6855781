import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { DOCUMENT_TYPES, declareCsvEndpoint, declareEndpoint, NoContent } from './endpoint.ts'
import {
  DOCUMENT_FAILURES,
  declareNotFound,
  FILE_CHANGED,
  LEDGER_QUERY_FAILURES,
} from './failures.ts'
import { byId, createDayField, createOptionalTextField, Instant, identity } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { Person } from './users.ts'

/** The coverage of one ledger of a site with several ledgers. */
export const LedgerCoverage = z.object({
  /** The number of the ledger. */
  ledger: z.int(),
  /** The number of events of the ledger just before the amounts were read. */
  events: z.int(),
  reserve: MoneyOut,
  committed: MoneyOut,
  shortfall: MoneyOut,
  percentage: z.number().min(0).max(100),
  liabilities: MoneyOut,
  cash: MoneyOut,
})
export type LedgerCoverage = z.infer<typeof LedgerCoverage>

/**
 * The present coverage of the promised profit by the operator's own money. The amounts are sums over
 * all ledgers of the site. What a ledger lacks is not covered by the money of another one.
 */
export const Coverage = z.object({
  /** The operator's own money that is not committed. */
  reserve: MoneyOut,
  /** Profit that is promised to running investments and not yet credited. */
  committed: MoneyOut,
  /**
   * Promised profit that the operator's own money does not cover: the amount by which the
   * operator's accounts are below zero.
   */
  shortfall: MoneyOut,
  /** The share of `committed` that is covered, from 0 to 100; 100 if `committed` is zero. */
  percentage: z.number().min(0).max(100),
  mode: z.enum(['disclose', 'strict']),
  asOf: Instant,
  /** The money that investors own: wallets, held money and the principal of running investments. */
  liabilities: MoneyOut,
  /** The operator's fees that have not been moved to the reserve. */
  fees: MoneyOut,
  /** The principal that the operator kept, from plans that do not return it. */
  income: MoneyOut,
  /**
   * The balance of the account that pays referral bonuses and fundings of the wallet `referral`. It
   * is negative until the operator has paid the same amount into the account.
   */
  marketing: MoneyOut,
  /**
   * The balance of corrections and of fundings of the wallet `balance`. The balance is negative if
   * the corrections and fundings credited more to investors than they debited.
   */
  adjustments: MoneyOut,
  /**
   * The balance of the account `opening`, against which an import posts opening balances. It is
   * zero once the import is complete.
   */
  opening: MoneyOut,
  /**
   * Balance of the operator's bank accounts according to the ledger: the sum of liabilities,
   * committed, reserve, fees, income, marketing, adjustments and opening.
   */
  cash: MoneyOut,
  /**
   * The part of the cash in the accounts of the payment options. The rest is in the treasury.
   * Missing in the answers of release 0.9.0.
   */
  paymentAccounts: MoneyOut.optional(),
  /** The coverage of each ledger. Missing if the site has only one. */
  ledgers: z.array(LedgerCoverage).optional(),
})
export type Coverage = z.infer<typeof Coverage>

export const getCoverage = declareEndpoint({
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
 * A statement that the site may publish. `proved`: code measures the evidence. `stated`: one
 * administrator stated the claim, and another administrator approved it. `withheld`: the site shows
 * `fallback` in place of the claim.
 */
export const Claim = z.object({
  key: ClaimKey,
  wording: z.string(),
  state: z.enum(['proved', 'stated', 'withheld']),
  /** The text that the site shows now: the claim or its fallback. */
  text: z.string(),
  /** The measured facts with their sources; empty for a claim without measured facts. */
  evidence: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      link: z.string().nullable(),
      /** True if this line names a limit of the claim. */
      isLimit: z.boolean(),
    }),
  ),
  /** The rule by which the claim is verified. */
  rule: z.string(),
  asOf: Instant,
})
export type Claim = z.infer<typeof Claim>

export const listPublicClaims = declareEndpoint({
  method: 'GET',
  path: '/public/claims',
  access: 'anyone',
  response: z.object({ claims: z.array(Claim) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** The facts that the operator states. Each claim requires some of these fields. */
export const Statement = z.strictObject({
  person: createOptionalTextField('Name', 120),
  qualification: createOptionalTextField('Qualification', 200),
  regulator: createOptionalTextField('Regulator', 200),
  licenceNumber: createOptionalTextField('Licence number', 120),
  registerUrl: z
    .union([z.literal('').transform(() => null), z.null(), z.url().max(300)])
    .optional(),
  scope: createOptionalTextField('Scope', 300),
  countries: createOptionalTextField('Countries', 300),
  expiresAt: z.union([z.literal('').transform(() => null), z.null(), createDayField()]).optional(),
  hours: createOptionalTextField('Hours', 200),
  text: createOptionalTextField('Statement', 500),
})

export const AdminClaim = Claim.extend({
  statement: z.record(z.string(), z.string().nullable()).nullable(),
  statedBy: Person.optional(),
  statedAt: Instant.nullable(),
  approvedBy: Person.optional(),
  approvedAt: Instant.nullable(),
  /** The reasons why the claim has its state. */
  reasons: z.array(z.string()),
})
export type AdminClaim = z.infer<typeof AdminClaim>

export const listClaims = declareEndpoint({
  method: 'GET',
  path: '/admin/claims',
  permission: 'claims.read',
  response: z.object({ claims: z.array(AdminClaim) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

const claimKey = z.strictObject({ key: ClaimKey })
const oneClaim = z.object({ claim: AdminClaim })

/**
 * Proposes a statement for a claim, and answers 409 `CHANGE_REQUESTED`. The new statement replaces
 * the previous statement after another administrator has approved it. If the request contains an
 * empty statement, the call withdraws the claim at once and answers 200.
 */
export const stateClaim = declareEndpoint({
  method: 'PUT',
  path: '/admin/claims/:key',
  permission: 'claims.write',
  request: z.strictObject({ params: claimKey, body: Statement.extend(changeReason) }),
  response: oneClaim,
  failures: [...CHANGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/** The assets in the operator's bank accounts on a day, with the document that proves them. */
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

export const listAttestations = declareEndpoint({
  method: 'GET',
  path: '/admin/attestations',
  permission: 'claims.read',
  response: z.object({ attestations: z.array(Attestation) }),
})

/**
 * Proposes an attestation, and answers 409 `CHANGE_REQUESTED`. The attestation is stored after
 * another administrator has approved it.
 */
export const createAttestation = declareEndpoint({
  method: 'POST',
  path: '/admin/attestations',
  permission: 'attestations.write',
  request: z.strictObject({
    body: z.strictObject({
      asOf: createDayField('Enter the day of the statement'),
      assets: MoneyIn,
      note: createOptionalTextField('Note', 500),
    }),
  }),
  upload: { field: 'document' },
  status: 204,
  response: NoContent,
  failures: [...DOCUMENT_FAILURES, ...CHANGE_FAILURES],
})

export const getAttestationDocument = declareEndpoint({
  method: 'GET',
  path: '/admin/attestations/:id/document',
  permission: 'claims.read',
  request: byId,
  response: z.null(),
  answers: 'file',
  fileTypes: DOCUMENT_TYPES,
  failures: [declareNotFound('attestation'), FILE_CHANGED],
})

export const exportClaims = declareCsvEndpoint({
  path: '/admin/claims.csv',
  permission: 'claims.read',
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportAttestations = declareCsvEndpoint({
  path: '/admin/attestations.csv',
  permission: 'claims.read',
})
