import { createHash } from 'node:crypto'
import { STATEMENT_LINES_MAX } from '@cairn/gateway-contracts'
import { findDecimalSign, readAmount } from './amounts.ts'
import { type Columns, guessColumns, hasDateAndAmount } from './columns.ts'
import { readRows as readCsv } from './csv-rows.ts'
import { type DayOrder, findDayOrder, readDay } from './days.ts'
import { splitReference } from './reference-words.ts'

const HEADING_ROWS_MAX = 30
const REFERENCE_CHARACTERS_MAX = 250

export interface StatementLine {
  day: string
  amountMinor: bigint
  reference: string
  /**
   * The words of the reference on the bank's line, split in the same way as the references of
   * transactions.
   */
  words: readonly string[]
  /**
   * A hash by which an import finds that an earlier statement of the account already contained this
   * line.
   */
  hash: string
}

export interface ReadStatement {
  headings: readonly string[]
  columns: Columns
  /**
   * The reason why the file cannot be imported. `lines` then has the lines that could be parsed.
   */
  problem: string | null
  isDayOrderOpen: boolean
  /** The lines of the statement, oldest first. */
  lines: readonly StatementLine[]
  openingMinor: bigint | null
  closingMinor: bigint | null
}

interface Raw {
  row: number
  day: string
  amountMinor: bigint
  reference: string
  balanceMinor: bigint | null
}

/** Parses the file that a bank exported. The file is untrusted input. */
export function readStatement(
  bytes: Buffer,
  options: Columns & { dayOrder?: DayOrder | undefined },
): ReadStatement {
  const nothing = { headings: [], columns: {}, isDayOrderOpen: false, lines: [] }
  const failed = { ...nothing, openingMinor: null, closingMinor: null }
  const rows = readCsv(bytes, { rowsMax: STATEMENT_LINES_MAX + HEADING_ROWS_MAX })
  if (typeof rows === 'string') return { ...failed, problem: rows }
  const { dayOrder, ...named } = options
  const head = findHeadings(rows, named)
  const { headings, columns } = head
  if (!hasDateAndAmount(columns)) {
    const problem = 'Choose the columns of the date and the amount'
    return { ...failed, headings, columns, problem }
  }
  const read = readLines(rows.slice(head.next), { columns, dayOrder, rowsBefore: head.next })
  return { headings, columns, ...read }
}

/**
 * Finds the row with the column headings: the first row that has a date heading and an amount
 * heading. Banks write names and periods above this row.
 */
function findHeadings(rows: readonly string[][], named: Columns) {
  const guesses = rows.slice(0, HEADING_ROWS_MAX).map(guessColumns)
  const at = guesses.findIndex(hasDateAndAmount)
  const chosen = Object.fromEntries(
    Object.entries(named).filter(([, place]) => place !== undefined),
  )
  // If the caller names at least one column, no column is guessed.
  const isNamed = Object.keys(chosen).length > 0
  const columns: Columns = isNamed ? chosen : (guesses[at] ?? {})
  const widest = Math.max(0, ...rows.slice(0, HEADING_ROWS_MAX).map(({ length }) => length))
  const row = rows[at] ?? rows.find(({ length }) => length === widest) ?? []
  const next = at >= 0 ? at + 1 : isNamed ? findFirstDayRow(rows, columns.date) : 0
  return { headings: row, columns, next }
}

function findFirstDayRow(rows: readonly string[][], date: number | undefined): number {
  const at = rows.findIndex((cells) => readDay(cells[date ?? -1] ?? '', 'day-first') !== null)
  return Math.max(at, 0)
}

function readLines(
  rows: readonly string[][],
  how: { columns: Columns; dayOrder: DayOrder | undefined; rowsBefore: number },
): Omit<ReadStatement, 'headings' | 'columns'> {
  const { columns } = how
  const getCell = (cells: readonly string[], place: number | undefined) =>
    place === undefined ? '' : (cells[place] ?? '')
  const money = [columns.amount, columns.debit, columns.credit, columns.balance]
  const found = findDayOrder(rows.map((cells) => getCell(cells, columns.date)))
  const sign = findDecimalSign(rows.flatMap((cells) => money.map((place) => getCell(cells, place))))
  const order = how.dayOrder ?? (found === 'open' || found === 'mixed' ? 'day-first' : found)
  const problems: string[] = []
  if (found === 'mixed') problems.push('Some dates begin with the day and some with the month')
  const isDayOrderOpen = found === 'open' && how.dayOrder === undefined
  if (isDayOrderOpen) problems.push('Choose whether 03/04 is the 3rd of April or the 4th of March')
  if (sign === 'mixed') problems.push('Some amounts have a decimal comma and some a decimal point')
  const lines: Raw[] = []
  for (const [index, cells] of rows.entries()) {
    const row = how.rowsBefore + index + 1
    const [date, reference] = [getCell(cells, columns.date), getCell(cells, columns.reference)]
    const amounts = money.map((place) => getCell(cells, place))
    // Totals and notes after the last line have no date.
    if (date === '') continue
    const day = readDay(date, order)
    const read = readLineAmount(amounts, sign === 'mixed' ? null : sign)
    if (day === null) problems.push(`Row ${row}: “${shortenText(date)}” is not a valid date`)
    else if (typeof read === 'string') problems.push(`Row ${row}: ${read}`)
    else if (read.amountMinor !== 0n) lines.push({ row, day, reference, ...read })
  }
  if (lines.length > STATEMENT_LINES_MAX)
    problems.push(`A statement can have at most ${STATEMENT_LINES_MAX} lines: split the file`)
  if (lines.length === 0 && problems.length === 0)
    problems.push('The file has no lines with an amount')
  const ordered = sortOldestFirst(lines)
  const balances = findOrderProblem(lines) ?? readBalances(ordered)
  if (typeof balances === 'string') problems.push(balances)
  const [opening, closing] = typeof balances === 'string' ? [null, null] : balances
  return {
    problem: problems[0] ?? null,
    isDayOrderOpen,
    lines: addHashes(ordered),
    openingMinor: opening,
    closingMinor: closing,
  }
}

/**
 * Returns the amount and the balance of a line, or the reason why the amount or the balance is
 * invalid. The amount is in one signed column, or in separate debit and credit columns.
 */
function readLineAmount(
  [amount = '', debit = '', credit = '', balance = '']: readonly string[],
  sign: '.' | ',' | null,
): { amountMinor: bigint; balanceMinor: bigint | null } | string {
  const read = (text: string) => (text === '' ? 0n : readAmount(text, sign))
  const [whole, out, into, left] = [read(amount), read(debit), read(credit), read(balance)]
  if (whole === null) return `“${shortenText(amount)}” is not a valid amount`
  if (out === null) return `“${shortenText(debit)}” is not a valid amount`
  if (into === null) return `“${shortenText(credit)}” is not a valid amount`
  if (left === null) return `“${shortenText(balance)}” is not a valid balance`
  // Some banks write a minus sign before a debit, and some banks write no sign.
  const amountMinor = whole + into - (out < 0n ? -out : out)
  return { amountMinor, balanceMinor: balance === '' ? null : left }
}

function shortenText(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/**
 * Sorts the lines by their days. Lines of one day keep the order in which the bank booked them: that
 * of the file, or the reverse if the file begins with the newest line.
 */
function sortOldestFirst(lines: readonly Raw[]): readonly Raw[] {
  return (isNewestFirst(lines) ? lines.toReversed() : lines).toSorted(compareDays)
}

function isNewestFirst(lines: readonly Raw[]): boolean {
  let falls = 0
  for (const [at, line] of lines.entries()) falls += compareDays(lines[at - 1] ?? line, line)
  if (falls !== 0) return falls > 0
  // If all lines are of one day, only the balances show the order of the lines.
  return !hasConsistentBalances(lines) && hasConsistentBalances(lines.toReversed())
}

function compareDays(left: Raw, right: Raw): number {
  if (left.day === right.day) return 0
  return left.day < right.day ? -1 : 1
}

/**
 * Returns the reason why the balances cannot be used: each belongs to the place of its line in the
 * file, but the days of the file are in another order. Null if the lines are in order or have no
 * balances.
 */
function findOrderProblem(lines: readonly Raw[]): string | null {
  if (lines.some(({ balanceMinor }) => balanceMinor === null)) return null
  const isFalling = isNewestFirst(lines)
  const row = lines.find((line, at) => {
    const step = compareDays(lines[at - 1] ?? line, line)
    return isFalling ? step < 0 : step > 0
  })?.row
  if (row === undefined) return null
  return `Row ${row}: the file is not sorted by this date, so its balances do not belong to a day. Choose the date by which the bank sorts the lines, or no balance column`
}

function hasConsistentBalances(lines: readonly Raw[]): boolean {
  return typeof readBalances(lines) !== 'string'
}

/** Returns the opening and the closing balance, or the reason why the balances are inconsistent. */
function readBalances(lines: readonly Raw[]): readonly [bigint | null, bigint | null] | string {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return [null, null]
  if (lines.some(({ balanceMinor }) => balanceMinor === null)) return [null, null]
  let runningMinor = (first.balanceMinor ?? 0n) - first.amountMinor
  for (const { row, amountMinor, balanceMinor } of lines) {
    runningMinor += amountMinor
    if (runningMinor !== balanceMinor)
      return `Row ${row}: the balance does not follow from the row before. A row is missing, or the wrong column is selected`
  }
  return [(first.balanceMinor ?? 0n) - first.amountMinor, last.balanceMinor]
}

/**
 * Adds a hash to each line. Equal lines are numbered, so that two equal payments on one day have
 * different hashes.
 */
function addHashes(lines: readonly Raw[]): StatementLine[] {
  const seen = new Map<string, number>()
  return lines.map(({ day, amountMinor, reference: whole }) => {
    const reference = [...whole].slice(0, REFERENCE_CHARACTERS_MAX).join('')
    const content = `${day}\n${amountMinor}\n${reference}`
    const nth = (seen.get(content) ?? 0) + 1
    seen.set(content, nth)
    const hash = createHash('sha256').update(`${content}\n${nth}`).digest('hex')
    return { day, amountMinor, reference, words: splitReference(reference), hash }
  })
}
