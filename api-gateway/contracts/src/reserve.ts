import { z } from 'zod'
import { SECOND_PERSON_FAILURES } from './change-failures.ts'
import { LedgerCoverage } from './claims.ts'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createOptionalTextField } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { declareRefusal } from './refusal-failures.ts'

/** The balances of the operator's accounts, summed over all ledgers of the site. */
export const Reserve = z.object({
  reserve: MoneyOut,
  committed: MoneyOut,
  fees: MoneyOut,
  income: MoneyOut,
  marketing: MoneyOut,
  adjustments: MoneyOut,
  /** The money that investors own: wallets, held money and the principal of running investments. */
  liabilities: MoneyOut,
  /** The ledger balance of the cash account of each payment option. */
  cash: z.array(z.object({ option: z.string(), name: z.string(), balance: MoneyOut })),
  /** The share of `committed` that is covered, from 0 to 100. */
  coverage: z.number(),
  mode: z.enum(['disclose', 'strict']),
  /** The coverage of each ledger. Missing if the site has only one. */
  ledgers: z.array(LedgerCoverage).optional(),
})
export type Reserve = z.infer<typeof Reserve>

export const getReserve = declareEndpoint({
  method: 'GET',
  path: '/admin/reserve',
  permission: 'reserve.read',
  response: z.object({ reserve: Reserve }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const fundReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve',
  permission: 'reserve.move',
  request: z.strictObject({
    body: z.strictObject({ amount: MoneyIn, note: createOptionalTextField('Note', 500) }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: [...SECOND_PERSON_FAILURES, ...LEDGER_COMMAND_FAILURES],
})

/**
 * Withdraws operator money from the reserve. In strict mode the remaining reserve must cover
 * `committed`.
 */
export const withdrawReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve/withdraw',
  permission: 'reserve.move',
  request: z.strictObject({
    body: z.strictObject({ amount: MoneyIn, note: createOptionalTextField('Note', 500) }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: [...SECOND_PERSON_FAILURES, declareRefusal('aboveReserve'), ...LEDGER_COMMAND_FAILURES],
})

/** Moves earned fees and income to the reserve. */
export const sweepToReserve = declareEndpoint({
  method: 'POST',
  path: '/admin/reserve/sweep',
  permission: 'reserve.move',
  request: z.strictObject({
    body: z.strictObject({
      from: z.enum(['fees', 'income'], 'Choose fees or income'),
      amount: MoneyIn,
      /** The reason. It is required if two administrators must approve the amount. */
      note: createOptionalTextField('Note', 500),
    }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
  failures: [
    ...SECOND_PERSON_FAILURES,
    declareRefusal('aboveOperatorAccount'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})
