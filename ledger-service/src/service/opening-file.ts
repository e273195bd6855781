import { createHash } from 'node:crypto'
import {
  AMOUNT_MAX_MINOR,
  Asset,
  type DataOf,
  formatAssetMinor,
  getAssetDecimals,
  ImportableAccount,
  OPENING_LINES_MAX,
} from '@cairn/ledger-contracts'

export type OpeningLine = Omit<DataOf<'ImportBalance'>, 'fileSha256' | 'lastLine'>

/** A file of opening balances. If the file has problems, no line of the file may be recorded. */
export interface OpeningFile {
  readonly sha256: string
  /** The valid lines, in order. */
  readonly lines: readonly OpeningLine[]
  /**
   * One sentence for each invalid line. If all lines can be read, also for each unbalanced asset.
   */
  readonly problems: readonly string[]
}

export const OPENING_HEADER = 'account,asset,debit,credit'

/**
 * Reads a file of opening balances: a header, then one line for each account, with the amount as a
 * debit or as a credit. The amounts have all decimals of their asset, so that cents cannot be
 * mistaken for whole units.
 */
export function readOpeningFile(bytes: Uint8Array): OpeningFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const text = new TextDecoder('utf-8').decode(bytes)
  const [header, ...rows] = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (header !== OPENING_HEADER) {
    return { sha256, lines: [], problems: [`line 1: the header must be ${OPENING_HEADER}`] }
  }
  if (rows.length === 0) return { sha256, lines: [], problems: ['the file has no balances'] }
  if (rows.length >= OPENING_LINES_MAX) {
    return { sha256, lines: [], problems: [`the file has more than ${OPENING_LINES_MAX} lines`] }
  }
  const lines: OpeningLine[] = []
  const problems: string[] = []
  const places = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const line = index + 2
    const parsed = parseRow(row)
    if (typeof parsed === 'string') {
      problems.push(`line ${line}: ${parsed}`)
      continue
    }
    const name = `${parsed.account} in ${parsed.asset}`
    const earlier = places.get(name)
    if (earlier !== undefined) problems.push(`line ${line}: ${name} is already on line ${earlier}`)
    else places.set(name, line)
    lines.push({ line, ...parsed })
  }
  // If a row is invalid, the sums of the other rows prove nothing, so they are not compared.
  const isReadable = lines.length === rows.length
  return { sha256, lines, problems: [...problems, ...(isReadable ? listUnbalanced(lines) : [])] }
}

/** Returns the balance in a row, or the reason why the row is invalid. */
function parseRow(row: string): Omit<OpeningLine, 'line'> | string {
  const fields = row.split(',')
  const [account = '', asset = '', debit = '', credit = ''] = fields
  if (fields.length !== 4) return 'it must have four fields: account, asset, debit and credit'
  if (!ImportableAccount.safeParse(account).success) {
    return `"${account}" is not an account that can have an opening balance`
  }
  if (!Asset.safeParse(asset).success) return `"${asset}" is not an asset, such as USD/2`
  const isCredit = debit === ''
  if (isCredit === (credit === '')) return 'it must have either a debit or a credit'
  const amountMinor = parseAmount(isCredit ? credit : debit, asset)
  return typeof amountMinor === 'string' ? amountMinor : { account, asset, isCredit, amountMinor }
}

/** Returns the amount in minor units, or the reason why the amount is invalid. */
function parseAmount(text: string, asset: string): bigint | string {
  const decimals = getAssetDecimals(asset)
  if (text.startsWith('-')) return `"${text}" is negative: use the other column`
  const pattern = decimals === 0 ? /^\d{1,20}$/ : new RegExp(`^\\d{1,20}\\.\\d{${decimals}}$`)
  if (!pattern.test(text)) return `"${text}" is not an amount with ${decimals} decimals`
  const amountMinor = BigInt(text.replace('.', ''))
  if (amountMinor === 0n) return 'the amount is zero: remove the line'
  if (amountMinor > AMOUNT_MAX_MINOR) return `"${text}" is too large`
  return amountMinor
}

/** Returns a sentence for each asset whose debits and credits differ. */
function listUnbalanced(lines: readonly OpeningLine[]): readonly string[] {
  const sums = new Map<string, { debit: bigint; credit: bigint }>()
  for (const { asset, isCredit, amountMinor } of lines) {
    const { debit, credit } = sums.get(asset) ?? { debit: 0n, credit: 0n }
    sums.set(asset, {
      debit: isCredit ? debit : debit + amountMinor,
      credit: isCredit ? credit + amountMinor : credit,
    })
  }
  return [...sums].flatMap(([asset, { debit, credit }]) =>
    debit === credit
      ? []
      : [
          `the debits in ${asset} are ${formatAssetMinor(debit, asset)}, but the credits are ${formatAssetMinor(credit, asset)}`,
        ],
  )
}
