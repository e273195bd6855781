import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_MAX } from './explorer.ts'
import { declareFailure, declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, createWholeNumberField, Flag, Instant } from './fields.ts'

const NAME_MAX = 60

/** A ledger of the site. The first one has the plans and rules that the others get. */
export const SiteLedger = z.object({
  number: z.int(),
  name: z.string(),
  isFirst: z.boolean(),
  /** True if new people can be assigned to the ledger. */
  isOpen: z.boolean(),
  addedAt: Instant,
  /** The number of people who belong to the ledger. */
  people: z.int(),
  /** The number of its events; null if the ledger does not answer. */
  size: z.int().nullable(),
  /** The last time at which the ledger answered the worker; null if it never did. */
  answeredAt: Instant.nullable(),
  /** How far plans, rules and approvers are copied; null for the first ledger. */
  rules: z
    .object({
      /** The number of events of the first ledger that were read. */
      through: z.int(),
      /** The number of events of the first ledger; null if it does not answer. */
      size: z.int().nullable(),
      /** True if the copy is complete, so that the ledger can be opened for new people. */
      isComplete: z.boolean(),
      /** The reason why the copy cannot continue. */
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type SiteLedger = z.infer<typeof SiteLedger>

/** The failure of a change in a ledger that has no complete copy of plans, rules and approvers. */
export const NOT_READY_FAILURE = declareFailure(
  409,
  'LEDGER_NOT_READY',
  'The plans and rules of the first ledger are not copied to ledger {number} yet. Wait until the page Ledgers says that the copy is complete.',
)

const LedgerNumber = createWholeNumberField('Number', { min: 1, max: LEDGER_MAX })
const one = z.object({ ledger: SiteLedger })

export const listSiteLedgers = declareEndpoint({
  method: 'GET',
  path: '/admin/ledgers',
  permission: 'ledger.read',
  response: z.object({ ledgers: z.array(SiteLedger) }),
})

/**
 * Adds a ledger to the site. Plans, rules and approvers of the first ledger are copied to it. It gets
 * people only after it was opened. Answers 409 `CHANGE_REQUESTED` while dual control is required.
 */
export const addSiteLedger = declareEndpoint({
  method: 'POST',
  path: '/admin/ledgers',
  permission: 'settings.write',
  request: z.strictObject({
    body: z.strictObject({
      number: LedgerNumber,
      name: createRequiredTextField('Name', NAME_MAX),
      ...changeReason,
    }),
  }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    declareFailure(409, 'LEDGER_EXISTS', 'The site has ledger {number} already'),
    declareFailure(
      409,
      'LEDGER_UNKNOWN',
      'The ledger service does not serve ledger {number}. Raise LEDGERS, or name the ledger in LEDGER_DIRECTORY, at all ledger services and workers, and try again.',
    ),
    declareFailure(
      409,
      'LEDGER_IN_USE',
      'Ledger {number} has events of its own. Add a ledger without events.',
    ),
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

/**
 * Opens a ledger for new people, or closes it. Closing needs one administrator. Opening answers 409
 * `CHANGE_REQUESTED` while dual control is required.
 */
export const editSiteLedger = declareEndpoint({
  method: 'PATCH',
  path: '/admin/ledgers/:number',
  permission: 'settings.write',
  request: z.strictObject({
    params: z.strictObject({ number: LedgerNumber }),
    body: z.strictObject({ isOpen: Flag, ...changeReason }),
  }),
  response: one,
  failures: [
    declareNotFound('ledger'),
    NOT_READY_FAILURE,
    declareFailure(
      409,
      'LAST_OPEN_LEDGER',
      'One ledger must stay open for new people. Open another one first.',
    ),
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})
