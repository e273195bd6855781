import { createId } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { publishChange } from '../../platform/live/published-change.ts'
import { listPermittedAdmins } from './approvers.ts'
import type { ChangeRow } from './store.ts'

export interface Decided {
  row: ChangeRow
  /** The name of the person who proposed the change or decided on the change. */
  by: string
  to: readonly string[]
}

const TITLES: Readonly<Record<ChangeRow['state'], string>> = {
  pending: 'Waiting for your approval',
  approved: 'Approved',
  executed: 'Approved and carried out',
  failed: 'Approved, but not carried out',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}

/**
 * Notifies `to` in the transaction that changes the request, so that the notification and the
 * change are committed together or not at all.
 */
export async function announceChange(
  trx: Database,
  { row, by, to }: Decided,
  nowMs: number,
): Promise<void> {
  if (to.length === 0) return
  const title = `${TITLES[row.state]}: ${row.title}`
  const body = row.failure ?? (row.state === 'pending' ? `Proposed by ${by}.` : `By ${by}.`)
  await trx
    .insertInto('platform.notification')
    .values(
      to.map((user_id) => ({
        id: createId(nowMs),
        user_id,
        source: `change/${row.id}/${row.state}`,
        kind: 'review',
        title,
        body,
        link: `/manage/admin/approvals?request=${row.id}`,
        created_at: new Date(nowMs),
        read_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await publishChange(trx, { topic: 'notifications', userIds: to })
}

/**
 * Makes the open pages of administrators who may see change requests load their data again after
 * the commit.
 */
export async function reloadApprovalPages(trx: Database, nowMs: number): Promise<void> {
  const readers = { permission: 'approvals.read', excluded: new Set<string>(), nowMs } as const
  const userIds = await listPermittedAdmins(trx, readers)
  await publishChange(trx, { topic: 'approvals', userIds })
}
