import { toAmountText, toMinor } from '../../money/money.ts'
import type { Transaction } from './queries.ts'
import { ownerOf } from './transaction-words.ts'

const HEADER = [
  'reference',
  'type',
  'purpose',
  'status',
  'amount',
  'fee',
  'net',
  'user',
  'email',
  'requested',
  'decided',
]

type Line = Pick<
  Transaction,
  | 'reference'
  | 'type'
  | 'purpose'
  | 'status'
  | 'amount'
  | 'fee'
  | 'net'
  | 'user'
  | 'createdAt'
  | 'decidedAt'
>

/** One line per transaction, quoted where needed; the instants are UTC. */
export function toCsv(transactions: readonly Line[]): string {
  const lines = transactions.map((row) => {
    const { name, email } = ownerOf(row)
    const money = [row.amount, row.fee, row.net].map((amount) => toAmountText(toMinor(amount)))
    return [
      row.reference,
      row.type,
      row.purpose,
      row.status,
      ...money,
      name,
      email,
      row.createdAt,
      row.decidedAt ?? '',
    ]
  })
  return `${[HEADER, ...lines].map((cells) => cells.map(toCell).join(',')).join('\r\n')}\r\n`
}

/** A name that begins like a formula must not become one in a spreadsheet. */
function toCell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
