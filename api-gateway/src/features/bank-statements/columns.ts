export const COLUMN_NAMES = ['date', 'amount', 'debit', 'credit', 'reference', 'balance'] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]
/** The place of each column, counted from 0. */
export type Columns = Partial<Record<ColumnName, number>>

/** How banks head their columns, the surest first; in small letters with single spaces. */
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
  debit: [
    /^(debit|debits|withdrawal|withdrawals|paid out|money out|soll|debe)\b/,
    /^debit amount$/,
  ],
  credit: [/^(credit|credits|deposit|deposits|paid in|money in|haben|haber)\b/, /^credit amount$/],
  reference: [
    /^(reference|payment reference|description|details|narrative|verwendungszweck|concepto)$/,
    /\b(reference|description|details|narrative|memo|particulars)\b/,
    /^(text|payee|name|counterparty|libelle)$/,
  ],
  balance: [/^(running |closing |account )?(balance|saldo|solde|kontostand)\b/],
}

/** What the headings say; a column is one thing only. */
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
  // One column with a sign says all; two others beside it are copies.
  if (columns.amount === undefined) return columns
  const { debit: _debit, credit: _credit, ...rest } = columns
  return rest
}

/** Enough to read lines: a day, and an amount one way or the other. */
export function isEnough({ date, amount, debit, credit }: Columns): boolean {
  return date !== undefined && (amount !== undefined || (debit ?? credit) !== undefined)
}
