import { useQuery } from '@tanstack/react-query'

import { Notice } from '../../shared/ui/notice.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { approvalQueries, type ChangeKind } from './queries.ts'

/** Lists the changes of one object that wait for a second administrator. */
export function WaitingChanges(about: { kind?: ChangeKind; target?: string }) {
  const { data = [] } = useQuery(approvalQueries.listWaitingRequests(about))
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
