import type { Command, DataOf } from '@cairn/ledger-contracts'
import {
  postAmount,
  type ReferenceBooks,
  type ReferenceFile,
  type Verdict,
} from './reference-books.ts'
import { listPeople } from './reference-controls.ts'

// The rules of opening balances.

const WEEK_MS = 7 * 24 * 3_600_000

export function permitImport(
  books: ReferenceBooks,
  command: Command & { type: 'PermitImport' },
  nowMs: number,
): Verdict {
  const { fileSha256 } = command.data
  const file = findFile(books, fileSha256)
  const permittedMs = listPeople(command).length > 1 ? nowMs : file.permittedMs
  books.files.set(fileSha256, { ...file, permittedMs })
  return 'recorded'
}

export function importBalance(
  books: ReferenceBooks,
  data: DataOf<'ImportBalance'>,
  nowMs: number,
): Verdict {
  const { fileSha256, line, lastLine, account, asset, isCredit, amountMinor } = data
  const file = findFile(books, fileSha256)
  const isBegun = file.line > 0
  if (line <= file.line || line > lastLine) return 'IMPORT_CONFLICT'
  if (isBegun && lastLine !== file.lastLine) return 'IMPORT_CONFLICT'
  const { isRequired } = books.controls
  const hasBusiness = books.requests.size > 0
  if (!isRequired && !isBegun && hasBusiness) return 'IMPORT_CLOSED'
  const isPermitted = file.permittedMs !== null && nowMs - file.permittedMs <= WEEK_MS
  if (isRequired && !isPermitted) return 'IMPORT_NOT_PERMITTED'
  const isOfOperator = account === 'reserve' || account.startsWith('cash:')
  if (asset !== 'USD/2' && !isOfOperator) return 'ASSET_INVALID'
  if (!isCredit && (account.startsWith('investor:') || account === 'fees')) {
    return 'IMPORT_INVALID'
  }
  const [owner, investorId = ''] = account.split(':')
  const investor = books.investors.get(investorId)
  if (owner === 'investor' && (investor === undefined || investor.standing === 'closed')) {
    return 'INVESTOR_UNKNOWN'
  }
  const end = asset === 'USD/2' ? '' : `@${asset}`
  const [opening, code] = [`opening${end}`, `${account}${end}`]
  if (!hasBusiness && books.balances.has(code)) return 'IMPORT_CONFLICT'
  if (isCredit) postAmount(books, opening, code, amountMinor)
  else postAmount(books, code, opening, amountMinor)
  books.files.set(fileSha256, { ...file, line, lastLine })
  return 'recorded'
}

function findFile(books: ReferenceBooks, fileSha256: string): ReferenceFile {
  return books.files.get(fileSha256) ?? { permittedMs: null, line: 0, lastLine: 0 }
}
