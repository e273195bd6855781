import type { QueryResponse } from '@cairn/ledger-contracts'
import {
  approverTable,
  DEFAULT_DUAL_CONTROL,
  dualControlTable,
} from '../../domain/controls/approver.ts'
import { sumByApprover } from '../../domain/controls/sole-acts.ts'
import { checkRow } from '../../log/table.ts'
import { formatInstant } from '../../service/database/filter.ts'
import type { Database } from '../schema.ts'

/** Returns the approvers in the order in which they were added, and the mode of dual control. */
export async function findControls(
  db: Database,
  { ledger, now }: { ledger: number; now: string },
): Promise<QueryResponse<'controls'>> {
  const [mode, approvers, acts] = await Promise.all([
    db.selectFrom('dualControl').selectAll().where('ledgerId', '=', ledger).executeTakeFirst(),
    db
      .selectFrom('approver')
      .selectAll()
      .where('ledgerId', '=', ledger)
      .orderBy('addedAt')
      .orderBy('approver')
      .execute(),
    db.selectFrom('soleAct').selectAll().where('ledgerId', '=', ledger).execute(),
  ])
  const alone = sumByApprover(acts, Date.parse(now))
  return {
    mode: mode === undefined ? DEFAULT_DUAL_CONTROL.mode : checkRow(dualControlTable, mode).mode,
    approvers: approvers.map((row) => {
      const { approver, isActive, addedAt } = checkRow(approverTable, row)
      return {
        approverId: approver.slice('admin:'.length),
        isActive,
        addedAt: formatInstant(addedAt),
        aloneMinor: alone.get(approver) ?? 0n,
      }
    }),
  }
}
