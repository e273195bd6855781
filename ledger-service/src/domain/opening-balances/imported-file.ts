import { IMPORT_PERMISSION_DAYS } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { controlTotalTable } from '../accounts/control-total.ts'
import { isDualControlRequired } from '../controls/approver.ts'
import { listApprovers } from '../controls/approver-list.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

const DAY_MS = 86_400_000
const APPROVERS_MIN = 2

/** The permitted and the imported files of opening balances, each with its last imported line. */
export const importedFileTable = createStateTable('imported_file', 'fileSha256', {
  fileSha256: 'text',
  /**
   * The newest permission by two administrators; null if two administrators have not permitted the
   * file.
   */
  permittedAt: 'timestamptz?',
  /** The number of the last imported line; 0 before the first line is imported. */
  line: 'int4',
  /** The number of the last line of the file; 0 before the first line is imported. */
  lastLine: 'int4',
  lastSeq: 'int8',
})
export type ImportedFile = RowOf<typeof importedFileTable>

/** Returns the state of a file. All rows of the table are in memory. */
export function findImportedFile(view: View, fileSha256: string): ImportedFile {
  const found = view.peek(importedFileTable, fileSha256) ?? null
  return found ?? { fileSha256, permittedAt: null, line: 0, lastLine: 0, lastSeq: 0n }
}

/** Like every weakening of a control, the permission needs two approvers under dual control. */
export const permitImport: Decider<'PermitImport'> = {
  needs: () => [],
  decide: ({ fileSha256 }, _view, context) =>
    record({ type: 'ImportPermitted', data: { fileSha256 } }, context),
}

/**
 * A permission that only one administrator gave, while dual control was not required, permits no
 * import.
 */
export const applyImportPermitted: Evolve<'ImportPermitted'> = ({ fileSha256 }, view, event) => {
  const { actor, control, recordedAtMs, seq: lastSeq } = event
  const isByTwo = listApprovers(actor, control?.approvals ?? []).length >= APPROVERS_MIN
  const file = findImportedFile(view, fileSha256)
  const permittedAt = isByTwo ? recordedAtMs : file.permittedAt
  view.put(importedFileTable, { ...file, permittedAt, lastSeq })
}

/**
 * A line is refused if it does not come after the last imported line. While dual control is
 * required, a line is refused if its file has no valid permission. Without dual control, the first
 * line of a file is refused after the first request or movement of money.
 */
export function refuseLine(
  view: View,
  { fileSha256, line, lastLine }: { fileSha256: string; line: number; lastLine: number },
  recordedAtMs: number,
): { refusal: Refusal } | null {
  const file = findImportedFile(view, fileSha256)
  const isBegun = file.line > 0
  if (line <= file.line || line > lastLine || (isBegun && lastLine !== file.lastLine)) {
    return refuse('importedLine', { line: String(line) })
  }
  if (!isDualControlRequired(view)) {
    return !isBegun && hasBusinessBegun(view) ? refuse('importClosed') : null
  }
  const { permittedAt } = file
  const isPermitted =
    permittedAt !== null && recordedAtMs - permittedAt <= IMPORT_PERMISSION_DAYS * DAY_MS
  return isPermitted ? null : refuse('importNotPermitted', { days: String(IMPORT_PERMISSION_DAYS) })
}

/**
 * The names of control totals. At least one of these totals exists after the first request or
 * movement of money.
 */
const BUSINESS = [
  'transaction:deposit:pending',
  'transaction:withdrawal:pending',
  'transaction:transfer:success',
]

/**
 * True after the first request or movement of money. Opening balances, and movements of assets
 * other than the currency, do not count.
 */
export function hasBusinessBegun(view: View): boolean {
  return BUSINESS.some((name) => (view.peek(controlTotalTable, name) ?? null) !== null)
}
