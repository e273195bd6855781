export const COLUMN_NAMES = ['date', 'amount', 'debit', 'credit', 'reference', 'balance'] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]
/** The index of each column, from 0. */
export type Columns = Partial<Record<ColumnName, number>>

/**
 * Patterns for the column headings that banks use, in lower case with single spaces. If several
 * patterns of a column match, the first pattern of its list decides.
 */
const HEADINGS: Readonly<Record<ColumnName, readonly RegExp[]>> = {
  date: [
    /^(booking|booked|transaction|trans|posting|posted|entry) ?(date|on)?$/,
    /^(date|day|datum|fecha|data|buchungstag|buchungsdatum)$/,
    /^(value|completed|started) ?date$/,
    /^(date|valuta)\b/,
  ],
  amount: [
    /^(amount|betrag|umsatz|importe|montant|importo|bedrag)$/,
    /^(transaction |net )?amount\b/,
    /^(betrag|montant|importe)\b/,
  ],
  debit: [/^(debit|debits|withdrawal|withdrawals|paid out|money out|soll|debe)\b/],
  credit: [/^(credit|credits|deposit|deposits|paid in|money in|haben|haber)\b/],
  reference: [
    /^(reference|payment reference|description|details|narrative|verwendungszweck|concepto)$/,
    /\b(reference|description|details|narrative|memo|particulars)\b/,
    /^(text|payee|name|counterparty|libelle)$/,
  ],
  balance: [/^(running |closing |account )?(balance|saldo|solde|kontostand)\b/],
}

/** Finds the columns by their headings. One column of the file is never used for two names. */
export function guessColumns(headings: readonly string[]): Columns {
  const plain = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  )
  const columns: Columns = {}
  const taken = new Set<number>()
  for (const name of COLUMN_NAMES) {
    const found = HEADINGS[name]
      .map((heading) => plain.findIndex((text, at) => !taken.has(at) && heading.test(text)))
      .find((at) => at >= 0)
    if (found === undefined) continue
    columns[name] = found
    taken.add(found)
  }
  // If there is a signed amount column, separate debit and credit columns are not needed.
  if (columns.amount === undefined) return columns
  const { debit: _debit, credit: _credit, ...rest } = columns
  return rest
}

/** Returns true if the columns contain at least a date and an amount. */
export function hasDateAndAmount({ date, amount, debit, credit }: Columns): boolean {
  return date !== undefined && (amount !== undefined || (debit ?? credit) !== undefined)
}
