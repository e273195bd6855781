import type { OpenTask } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { approvalQueries } from '../../features/changes/queries.ts'
import { statsQueries } from '../../features/charts/stats-queries.ts'
import { countOpenMessages } from '../../features/messages/queries.ts'
import type { Viewer } from './manage-menu.ts'

export type MenuCount = { count: number; meaning: string }
export type MenuCounts = ReadonlyMap<string, MenuCount>

/**
 * Returns the number of items that wait for this administrator on each page, by path. Pages without
 * waiting items, or whose count has not loaded yet, are not in the map.
 */
export function useMenuCounts({ role, permissions }: Viewer): MenuCounts {
  const isAdmin = role === 'admin'
  const { data: stats } = useQuery({
    ...statsQueries.readAdminStats(),
    enabled: isAdmin && permissions.includes('overview.read'),
  })
  const { data: approvals } = useQuery({
    ...approvalQueries.countOpenRequests(),
    enabled: isAdmin && permissions.includes('approvals.read'),
  })
  const { data: messages = 0 } = useQuery({
    ...countOpenMessages(),
    enabled: isAdmin && permissions.includes('messages.read'),
  })
  const tasks = stats?.tasks ?? []
  const counts: ReadonlyArray<readonly [path: string, MenuCount]> = [
    [
      '/manage/admin/transactions',
      { count: sumTasks(tasks, ['deposits', 'withdrawals']), meaning: 'pending' },
    ],
    ['/manage/admin/users', { count: sumTasks(tasks, ['users', 'names']), meaning: 'pending' }],
    [
      '/manage/admin/approvals',
      { count: approvals?.forMe ?? 0, meaning: 'waiting for your approval' },
    ],
    ['/manage/admin/messages', { count: messages, meaning: 'not answered' }],
    ['/manage/admin/jobs', { count: sumTasks(tasks, ['maturities']), meaning: 'overdue payouts' }],
  ]
  return new Map(counts.filter(([, { count }]) => count > 0))
}

function sumTasks(tasks: readonly OpenTask[], kinds: ReadonlyArray<OpenTask['kind']>): number {
  return tasks
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((total, { count }) => total + count, 0)
}
