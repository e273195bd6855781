import { useQuery } from '@tanstack/react-query'

import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { approvalQueries, type ChangeKind } from './queries.ts'

/**
 * Lists the changes of one object that wait for a second administrator. Shows nothing to an
 * administrator who may not read them, because the audit log records each refused read.
 */
export function WaitingChanges(about: { kind?: ChangeKind; target?: string }) {
  const canRead = useHasPermission()('approvals.read')
  const { data = [] } = useQuery({
    ...approvalQueries.listWaitingRequests(about),
    enabled: canRead,
  })
  if (data.length === 0) return null
  return (
    <Notice tone="info">
      <ul className="grid gap-1">
        {data.map(({ id, title }) => (
          <li key={id}>
            {title} is waiting for approval.{' '}
            <TextLink to={`/manage/admin/approvals?request=${id}`}>View the request</TextLink>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
