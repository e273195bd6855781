import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'

import { getUserDetailQuery } from './queries.ts'
import { UserNotes } from './user-notes.tsx'

/**
 * Shows the administrators' notes on the user beside the request that the administrator decides on.
 */
export function ReviewerNotes({ userId }: { userId: string }) {
  const { data: detail } = useQuery(getUserDetailQuery(userId))
  if (detail === undefined) return null
  const count = detail.notes.length
  return (
    <details open={count > 0}>
      <summary className="cursor-pointer py-1 font-medium text-14">
        {count === 0 ? 'Write a note' : formatCounted(count, 'note')} about {detail.user.name}
      </summary>
      <div className="mt-2">
        <UserNotes detail={detail} />
      </div>
    </details>
  )
}
