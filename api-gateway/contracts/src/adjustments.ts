import { z } from 'zod'
import { BENEFICIARY_FAILURE, SECOND_PERSON_FAILURES } from './change-failures.ts'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES, noSuch } from './failures.ts'
import { Id, Instant, identity, requiredText } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { refusal } from './refusal-failures.ts'
import { Person, WalletName } from './users.ts'

/** A correction of a wallet, with a reason. */
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

/** Lists at most 200 adjustments: pending ones first, then newest first. */
export const listAdjustments = endpoint({
  method: 'GET',
  path: '/admin/adjustments',
  permission: 'adjustments.read',
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

/** Answers 409 `CHANGE_REQUESTED` if the ledger requires the approval of a second administrator. */
export const proposeAdjustment = endpoint({
  method: 'POST',
  path: '/admin/adjustments',
  permission: 'adjustments.propose',
  request: z.strictObject({ body: AdjustmentForm }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    noSuch('user'),
    refusal('accountUnknown', 409),
    refusal('aboveWallet'),
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const exportAdjustments = csvEndpoint({
  path: '/admin/adjustments.csv',
  permission: 'adjustments.read',
  failures: [...LEDGER_QUERY_FAILURES],
})
