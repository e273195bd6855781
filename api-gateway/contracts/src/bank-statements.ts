import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareFailure, declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import {
  createDayField,
  createRequiredTextField,
  createWholeNumberField,
  Id,
  Instant,
  identity,
} from './fields.ts'
import { MoneyOut } from './money.ts'
import { Person } from './users.ts'

export const STATEMENT_LINES_MAX = 5_000
const Seq = z.string().regex(/^\d{1,15}$/, 'must be the number of an event')

/** The id of a payment option, or `treasury` for payments without a payment option. */
const CashOption = z.union([Id, z.literal('treasury')], 'must be a cash account')

/** A ledger movement of a cash account, with the sign of a bank statement: incoming is positive. */
export const CashMovement = z.object({
  seq: Seq,
  type: z.string(),
  amount: MoneyOut,
  day: z.iso.date(),
  reference: z.string().nullable(),
})
export type CashMovement = z.infer<typeof CashMovement>

/** One line of a bank statement. */
export const BankLine = z.object({
  ...identity,
  day: z.iso.date(),
  amount: MoneyOut,
  reference: z.string(),
  match: z
    .object({
      movement: CashMovement,
      /**
       * The amount of the line minus the amount of the movement. An automatic match has the
       * difference zero.
       */
      difference: MoneyOut,
      /** The administrator who made the match; missing for an automatic match. */
      person: Person.optional(),
      reason: z.string().nullable(),
      at: Instant,
    })
    .nullable(),
})
export type BankLine = z.infer<typeof BankLine>

export const BankStatement = z.object({
  ...identity,
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  lines: z.int(),
  /** Number of lines that no earlier statement contained. */
  linesAdded: z.int(),
  /** The balances on the statement; null if the file has no balance column. */
  opening: MoneyOut.nullable(),
  closing: MoneyOut.nullable(),
  /** Ledger balances before the first day and after the last day of the statement. */
  booksOpening: MoneyOut,
  booksClosing: MoneyOut,
  fileSha256: z.string(),
  person: Person.optional(),
  importedAt: Instant,
})
export type BankStatement = z.infer<typeof BankStatement>

const Account = z.object({
  option: z.string(),
  name: z.string(),
  /** The current ledger balance of the account. */
  balance: MoneyOut,
  /** The newest statement of the account. */
  statement: BankStatement.nullable(),
  /** Number of statement lines without a matching movement. */
  openLines: z.int(),
  openLinesAmount: MoneyOut,
  /**
   * Number of movements without a matching line. Only days that an imported statement covers are
   * counted.
   */
  openMovements: z.int(),
  openMovementsAmount: MoneyOut,
})
export type CashAccount = z.infer<typeof Account>

const option = z.strictObject({ option: CashOption })

export const getCashAccount = declareEndpoint({
  method: 'GET',
  path: '/admin/cash/:option',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option }),
  response: z.object({ account: Account }),
  failures: [declareNotFound('cash account'), ...LEDGER_QUERY_FAILURES],
})

/** Column indexes from 0. If an index is missing, the column is found by its heading. */
const column = createWholeNumberField('Column', { min: 0, max: 49 }).optional()
const columns = z.strictObject({
  date: column,
  /**
   * A column of signed amounts. A statement without such a column has the columns `debit` and
   * `credit`.
   */
  amount: column,
  debit: column,
  credit: column,
  reference: column,
  balance: column,
  /** The order of day and month in dates such as 03/04/2026. */
  dayOrder: z.enum(['day-first', 'month-first']).optional(),
})
export type StatementColumns = z.input<typeof columns>

/** Returns what an import would store, without storing it. */
export const previewStatement = declareEndpoint({
  method: 'POST',
  path: '/admin/cash/:option/statements/preview',
  permission: 'bankStatements.write',
  request: z.strictObject({ params: option, body: columns }),
  upload: { field: 'file' },
  response: z.object({
    preview: z.object({
      headings: z.array(z.string()),
      /** The column indexes that the request contained or that the server guessed. */
      columns: z.record(z.string(), z.int()),
      /** The reason why the file cannot be imported; null if it can be imported. */
      problem: z.string().nullable(),
      /**
       * True if the dates of the file permit both orders of day and month, so that the user must
       * choose the order.
       */
      isDayOrderOpen: z.boolean(),
      lines: z.int(),
      /** At most the first ten lines. */
      sample: z.array(z.object({ day: z.iso.date(), amount: MoneyOut, reference: z.string() })),
      opening: MoneyOut.nullable(),
      closing: MoneyOut.nullable(),
    }),
  }),
  failures: [declareNotFound('cash account')],
})

/**
 * Imports all lines or no line. Lines that are already stored are skipped, so an import can be
 * repeated.
 */
export const importStatement = declareEndpoint({
  method: 'POST',
  path: '/admin/cash/:option/statements',
  permission: 'bankStatements.write',
  request: z.strictObject({ params: option, body: columns }),
  upload: { field: 'file' },
  status: 201,
  response: z.object({ statement: BankStatement, matched: z.int() }),
  failures: [
    declareNotFound('cash account'),
    declareFailure(422, 'STATEMENT_UNREADABLE', '{problem}'),
  ],
})

/** Lists at most the newest 200 statements. */
export const listStatements = declareEndpoint({
  method: 'GET',
  path: '/admin/cash/:option/statements',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option }),
  response: z.object({ statements: z.array(BankStatement) }),
  failures: [declareNotFound('cash account')],
})

export const exportStatements = declareCsvEndpoint({
  path: '/admin/cash/:option/statements.csv',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option }),
  failures: [declareNotFound('cash account')],
})

const Day = createDayField()
/** Returns the schema of `meta.next`: a day, a tilde, and what `pattern` matches. */
function createPlaceField(pattern: RegExp) {
  const message = 'must be the value of meta.next'
  return z
    .string()
    .regex(pattern, message)
    .refine((place) => Day.safeParse(place.split('~')[0]).success, message)
}

/** Cursor pagination: the page starts after the row with the place `after`. */
const linePage = {
  after: createPlaceField(/^[\d-]{10}~[0-9a-z]{20,24}$/).optional(),
  limit: createWholeNumberField('limit', { min: 1, max: 200 }).default(50),
}
const movementPage = { ...linePage, after: createPlaceField(/^[\d-]{10}~\d{1,15}$/).optional() }

const lineState = z.enum(['all', 'open', 'matched']).default('all')

/** Lists the lines of the imported statements, newest day first. */
export const listBankLines = declareEndpoint({
  method: 'GET',
  path: '/admin/cash/:option/lines',
  permission: 'bankStatements.read',
  request: z.strictObject({
    params: option,
    query: z.strictObject({ ...linePage, state: lineState }),
  }),
  response: z.object({ lines: z.array(BankLine), meta: z.object({ next: z.string().nullable() }) }),
  failures: [declareNotFound('cash account')],
})

export const exportBankLines = declareCsvEndpoint({
  path: '/admin/cash/:option/lines.csv',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option, query: z.strictObject({ state: lineState }) }),
  failures: [declareNotFound('cash account')],
})

/**
 * Lists the movements without a matching line. Movements on days that no imported statement covers
 * are omitted.
 */
export const listOpenMovements = declareEndpoint({
  method: 'GET',
  path: '/admin/cash/:option/movements',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option, query: z.strictObject(movementPage) }),
  response: z.object({
    movements: z.array(CashMovement),
    meta: z.object({ next: z.string().nullable() }),
  }),
  failures: [declareNotFound('cash account')],
})

export const exportOpenMovements = declareCsvEndpoint({
  path: '/admin/cash/:option/movements.csv',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: option }),
  failures: [declareNotFound('cash account')],
})

/**
 * Matches lines and movements of equal amount: first by the reference in the line, then by the day.
 * A match by the day requires that no other line or movement of this amount is near that day.
 */
export const matchStatements = declareEndpoint({
  method: 'POST',
  path: '/admin/cash/:option/match',
  permission: 'bankStatements.write',
  request: z.strictObject({ params: option }),
  response: z.object({ matched: z.int() }),
  failures: [declareNotFound('cash account')],
})

const lineId = z.strictObject({ id: Id })
const oneLine = z.object({ line: BankLine })

/** Lists the movements that could match a line, the best candidate first. */
export const listMatchCandidates = declareEndpoint({
  method: 'GET',
  path: '/admin/bank_lines/:id/candidates',
  permission: 'bankStatements.read',
  request: z.strictObject({ params: lineId }),
  response: z.object({ line: BankLine, candidates: z.array(CashMovement) }),
  failures: [declareNotFound('line of a statement')],
})

export const matchBankLine = declareEndpoint({
  method: 'PATCH',
  path: '/admin/bank_lines/:id/match',
  permission: 'bankStatements.write',
  request: z.strictObject({
    params: lineId,
    body: z.strictObject({ seq: Seq, reason: createRequiredTextField('Reason', 500) }),
  }),
  response: oneLine,
  failures: [
    declareNotFound('line of a statement'),
    declareFailure(404, 'NOT_FOUND', 'Event {seq} moved no money in this account'),
    declareFailure(409, 'MATCHED', 'The line is matched with event {seq}'),
    declareFailure(409, 'MATCHED', 'Already matched to another line'),
  ],
})

export const unmatchBankLine = declareEndpoint({
  method: 'PATCH',
  path: '/admin/bank_lines/:id/unmatch',
  permission: 'bankStatements.write',
  request: z.strictObject({
    params: lineId,
    body: z.strictObject({ reason: createRequiredTextField('Reason', 500) }),
  }),
  response: oneLine,
  failures: [declareNotFound('line of a statement')],
})
