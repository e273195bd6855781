import { z } from 'zod'
import { SECOND_PERSON_FAILURES } from './change-failures.ts'
import { LedgerCoverage } from './claims.ts'
import { declareEndpoint } from './endpoint.ts'
import { LedgerNumber } from './explorer.ts'
import { LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createOptionalTextField, Instant } from './fields.ts'
import { NOT_READY_FAILURE } from './ledgers.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { declareRefusal } from './refusal-failures.ts'

/**
 * The balances of the operator's accounts in the requested ledger. Without a requested ledger, they
 * are summed over all ledgers of the site.
 */
export const Reserve = z.object({
  reserve: MoneyOut,
  committed: MoneyOut,
  fees: MoneyOut,
  income: MoneyOut,
  marketing: MoneyOut,
  adjustments: MoneyOut,
  /** As in `Coverage`. Missing in the answers of release 0.9.0. */
  opening: MoneyOut.optional(),
  /** The money that investors own: wallets, held money and the principal of running investments. */
  liabilities: MoneyOut,
  /** The ledger balance of the cash account of each payment option. */
  cash: z.array(z.object({ option: z.string(), name: z.string(), balance: MoneyOut })),
  /** The share of `committed` that is covered, from 0 to 100. */
  coverage: z.number(),
  mode: z.enum(['disclose', 'strict']),
  /** The coverage of each ledger. Missing if the site has only one, or if one is requested. */
  ledgers: z.array(LedgerCoverage).optional(),
  /**
   * Until this time, the requested ledger refuses what needs two administrators, because its
   * approvers are too new. Missing if there is no such time, or if no ledger is requested.
   */
  secondApprovalFrom: Instant.optional(),
})
export type Reserve = z.infer<typeof Reserve>

const movement = {
  amount: MoneyIn,
  /** The reason. It is required if two administrators must approve the amount. */
  note: createOptionalTextField('Note', 500),
  /**
   * The ledger of the site that records the movement; the first one by default. A ledger that the
   * site does not have is refused with 400.
   */
  ledger: LedgerNumber,
}

const MOVE_FAILURES = [...SECOND_PERSON_FAILURES, NOT_READY_FAILURE, ...LEDGER_COMMAND_FAILURES]

export const getReserve = declareEndpoint({
  method: 'GET',
  path: '/admin/reserve',
  permission: 'reserve.read',
  request: z.strictObject({ query: z.strictObject({ ledger: LedgerNumber }) }),
  response: z.object({ reserve: Reserve }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const fundReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve',
  permission: 'reserve.move',
  request: z.strictObject({ body: z.strictObject(movement) }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: MOVE_FAILURES,
})

/**
 * Withdraws operator money from the reserve. Refuses an amount above the balance of the reserve. The
 * `coverage` of the answer can be lower than before.
 */
export const withdrawReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve/withdraw',
  permission: 'reserve.move',
  request: z.strictObject({ body: z.strictObject(movement) }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: [...MOVE_FAILURES, declareRefusal('aboveReserve')],
})

/** Moves earned fees and income to the reserve. */
export const sweepToReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve/sweep',
  permission: 'reserve.move',
  request: z.strictObject({
    body: z.strictObject({
      from: z.enum(['fees', 'income'], 'Choose fees or income'),
      ...movement,
    }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: [...MOVE_FAILURES, declareRefusal('aboveOperatorAccount')],
})
