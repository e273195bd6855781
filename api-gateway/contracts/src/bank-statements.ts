import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED, noSuch } from './failures.ts'
import { Id, Instant, identity, requiredText, wholeNumber } from './fields.ts'
import { MoneyOut } from './money.ts'
import { Person } from './users.ts'

export const STATEMENT_LINES_MAX = 5_000
const Seq = z.string().regex(/^\d{1,15}$/, 'must be the number of an event')

/** A payment option, or `treasury` where no option was named. */
const CashOption = z.union([Id, z.literal('treasury')], 'must be a cash account')

/** What the books moved on a cash account, as the bank would see it: in is positive. */
export const CashMovement = z.object({
  seq: Seq,
  type: z.string(),
  amount: MoneyOut,
  day: z.iso.date(),
  reference: z.string().nullable(),
})
export type CashMovement = z.infer<typeof CashMovement>

/** One line of a bank's statement. */
export const BankLine = z.object({
  ...identity,
  day: z.iso.date(),
  amount: MoneyOut,
  reference: z.string(),
  match: z
    .object({
      movement: CashMovement,
      /** The line less the movement: zero unless somebody paired them in spite of it. */
      difference: MoneyOut,
      /** Left out where it was found by reference, or by amount and day. */
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
  /** How many were not known from an earlier one. */
  linesAdded: z.int(),
  /** Null where the file has no column of balances. */
  opening: MoneyOut.nullable(),
  closing: MoneyOut.nullable(),
  /** What the books say of the moments before its first day and after its last one. */
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
  /** What the books say it holds now. */
  balance: MoneyOut,
  /** Of the newest statement. */
  statement: BankStatement.nullable(),
  /** In the bank and not in the books. */
  openLines: z.int(),
  openLinesAmount: MoneyOut,
  /** In the books, on days that statements cover, and not in the bank. */
  openMovements: z.int(),
  openMovementsAmount: MoneyOut,
})
export type CashAccount = z.infer<typeof Account>

const option = z.strictObject({ option: CashOption })

export const getCashAccount = endpoint({
  method: 'GET',
  path: '/admin/cash/:option',
  access: 'admin',
  request: z.strictObject({ params: option }),
  response: z.object({ account: Account }),
  failures: [noSuch('cash account'), ...LEDGER_ASKED],
})

/** Which column is which, counted from 0; what is left out is guessed by its heading. */
const column = wholeNumber('Column', { min: 0, max: 49 }).optional()
const columns = z.strictObject({
  date: column,
  /** Either one column with a sign, or one for each direction. */
  amount: column,
  debit: column,
  credit: column,
  reference: column,
  balance: column,
  /** Of days such as 03/04/2026. */
  dayOrder: z.enum(['day-first', 'month-first']).optional(),
})
export type StatementColumns = z.input<typeof columns>

/** What an import would store. Nothing is stored yet. */
export const previewStatement = endpoint({
  method: 'POST',
  path: '/admin/cash/:option/statements/preview',
  access: 'admin',
  request: z.strictObject({ params: option, body: columns }),
  upload: { field: 'file' },
  response: z.object({
    preview: z.object({
      headings: z.array(z.string()),
      /** The columns that were named or guessed. */
      columns: z.record(z.string(), z.int()),
      /** Why it cannot be imported so; null when it can. */
      problem: z.string().nullable(),
      /** True where only the reader can know whether 03/04 is in March or in April. */
      isDayOrderOpen: z.boolean(),
      lines: z.int(),
      /** At most the first ten. */
      sample: z.array(z.object({ day: z.iso.date(), amount: MoneyOut, reference: z.string() })),
      opening: MoneyOut.nullable(),
      closing: MoneyOut.nullable(),
    }),
  }),
  failures: [noSuch('cash account')],
})

/** All lines or none; those that are known already add nothing, so it may be repeated. */
export const importStatement = endpoint({
  method: 'POST',
  path: '/admin/cash/:option/statements',
  access: 'admin',
  request: z.strictObject({ params: option, body: columns }),
  upload: { field: 'file' },
  status: 201,
  response: z.object({ statement: BankStatement, matched: z.int() }),
  failures: [noSuch('cash account'), failure(422, 'STATEMENT_UNREADABLE', '{problem}')],
})

/** The newest two hundred. */
export const listStatements = endpoint({
  method: 'GET',
  path: '/admin/cash/:option/statements',
  access: 'admin',
  request: z.strictObject({ params: option }),
  response: z.object({ statements: z.array(BankStatement) }),
  failures: [noSuch('cash account')],
})

export const exportStatements = csvEndpoint({
  path: '/admin/cash/:option/statements.csv',
  access: 'admin',
  request: z.strictObject({ params: option }),
  failures: [noSuch('cash account')],
})

/** Goes on behind the last one of the page before. */
const page = {
  after: z.string().max(40).optional(),
  limit: wholeNumber('limit', { min: 1, max: 200 }).default(50),
}

const lineState = z.enum(['all', 'open', 'matched']).default('all')

/** Newest day first. */
export const listBankLines = endpoint({
  method: 'GET',
  path: '/admin/cash/:option/lines',
  access: 'admin',
  request: z.strictObject({
    params: option,
    query: z.strictObject({ ...page, state: lineState }),
  }),
  response: z.object({ lines: z.array(BankLine), meta: z.object({ next: z.string().nullable() }) }),
  failures: [noSuch('cash account')],
})

export const exportBankLines = csvEndpoint({
  path: '/admin/cash/:option/lines.csv',
  access: 'admin',
  request: z.strictObject({ params: option, query: z.strictObject({ state: lineState }) }),
  failures: [noSuch('cash account')],
})

/** What the books moved on days that statements cover, and no line is paired with. */
export const listOpenMovements = endpoint({
  method: 'GET',
  path: '/admin/cash/:option/movements',
  access: 'admin',
  request: z.strictObject({ params: option, query: z.strictObject(page) }),
  response: z.object({
    movements: z.array(CashMovement),
    meta: z.object({ next: z.string().nullable() }),
  }),
  failures: [noSuch('cash account')],
})

export const exportOpenMovements = csvEndpoint({
  path: '/admin/cash/:option/movements.csv',
  access: 'admin',
  request: z.strictObject({ params: option }),
  failures: [noSuch('cash account')],
})

/** Pairs what agrees in reference and amount, or alone in amount and day. */
export const matchStatements = endpoint({
  method: 'POST',
  path: '/admin/cash/:option/match',
  access: 'admin',
  request: z.strictObject({ params: option }),
  response: z.object({ matched: z.int() }),
  failures: [noSuch('cash account')],
})

const lineId = z.strictObject({ id: Id })
const oneLine = z.object({ line: BankLine })

/** What a line could be, the nearest first. */
export const listMatchCandidates = endpoint({
  method: 'GET',
  path: '/admin/bank_lines/:id/candidates',
  access: 'admin',
  request: z.strictObject({ params: lineId }),
  response: z.object({ line: BankLine, candidates: z.array(CashMovement) }),
  failures: [noSuch('line of a statement')],
})

export const matchBankLine = endpoint({
  method: 'PATCH',
  path: '/admin/bank_lines/:id/match',
  access: 'admin',
  request: z.strictObject({
    params: lineId,
    body: z.strictObject({ seq: Seq, reason: requiredText('Reason', 500) }),
  }),
  response: oneLine,
  failures: [
    noSuch('line of a statement'),
    failure(404, 'NOT_FOUND', 'Event {seq} moved nothing on this account'),
    failure(409, 'MATCHED', 'The line is matched with event {seq}'),
    failure(409, 'MATCHED', 'It was matched otherwise in the meantime'),
  ],
})

export const unmatchBankLine = endpoint({
  method: 'PATCH',
  path: '/admin/bank_lines/:id/unmatch',
  access: 'admin',
  request: z.strictObject({
    params: lineId,
    body: z.strictObject({ reason: requiredText('Reason', 500) }),
  }),
  response: oneLine,
  failures: [noSuch('line of a statement')],
})
