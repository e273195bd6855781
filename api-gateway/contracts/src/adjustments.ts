import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES, noSuch } from './failures.ts'
import { byId, Id, Instant, identity, idParams, requiredText } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { refusal } from './refusal-failures.ts'
import { Transaction } from './transactions.ts'
import { Person, WalletName } from './users.ts'

/**
 * A correction of a wallet. One administrator proposes it with a reason; it is then applied or
 * rejected.
 */
export const Adjustment = z.object({
  ...identity,
  reference: z.string(),
  user: Person.optional(),
  wallet_type: WalletName,
  amount: MoneyOut,
  /** True if the correction credits the wallet, false if it debits it. */
  isCredit: z.boolean(),
  status: z.enum(['proposed', 'applied', 'rejected']),
  reason: z.string().nullable(),
  proposedBy: Person.optional(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
})
export type Adjustment = z.infer<typeof Adjustment>

const one = z.object({ adjustment: Adjustment })

/** At most 200 adjustments: pending ones first, then newest first. */
export const listAdjustments = endpoint({
  method: 'GET',
  path: '/admin/adjustments',
  access: 'admin',
  response: z.object({ adjustments: z.array(Adjustment) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const AdjustmentForm = z.strictObject({
  user: Id,
  wallet_type: WalletName,
  amount: MoneyIn,
  direction: z.enum(['credit', 'debit'], 'Choose credit or debit'),
  reason: requiredText('Reason', 500),
})

export const proposeAdjustment = endpoint({
  method: 'POST',
  path: '/admin/adjustments',
  access: 'admin',
  request: z.strictObject({ body: AdjustmentForm }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [noSuch('user'), refusal('accountUnknown', 409), ...LEDGER_COMMAND_FAILURES],
})

/**
 * From the approval threshold on, the approver must be an administrator other than the proposer.
 */
export const applyAdjustment = endpoint({
  method: 'PATCH',
  path: '/admin/adjustments/:id/apply',
  access: 'admin',
  request: byId,
  response: one,
  failures: [
    noSuch('transaction'),
    noSuch('adjustment'),
    refusal('adjustmentDecided'),
    refusal('otherMustApply'),
    refusal('aboveWallet'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const rejectAdjustment = endpoint({
  method: 'PATCH',
  path: '/admin/adjustments/:id/reject',
  access: 'admin',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({ reason: requiredText('Reason', 500) }),
  }),
  response: one,
  failures: [
    noSuch('transaction'),
    noSuch('adjustment'),
    refusal('adjustmentDecided'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

/** The transactions and adjustments that need the decision of a second administrator. */
export const listApprovals = endpoint({
  method: 'GET',
  path: '/admin/first_approvals',
  access: 'admin',
  response: z.object({
    /** Approved once. `canApprove` is false for the administrator who gave the first approval. */
    transactions: z.array(
      z.object({
        transaction: Transaction,
        firstApprovedBy: Person.optional(),
        canApprove: z.boolean(),
      }),
    ),
    adjustments: z.array(z.object({ adjustment: Adjustment, canApprove: z.boolean() })),
    total: z.int(),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportAdjustments = csvEndpoint({
  path: '/admin/adjustments.csv',
  access: 'admin',
  failures: [...LEDGER_QUERY_FAILURES],
})

/** The transactions and adjustments that need the decision of a second administrator, as CSV. */
export const exportApprovals = csvEndpoint({
  path: '/admin/first_approvals.csv',
  access: 'admin',
  failures: [...LEDGER_QUERY_FAILURES],
})
