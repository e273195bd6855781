import { changeUserStatus } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { BulkDialog } from '../../shared/ui/bulk-dialog.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { type RowSelection, useRowSelection } from '../../shared/ui/row-selection.ts'
import { SelectionBar } from '../../shared/ui/selection-bar.tsx'
import type { ListedUser as User, UserQuery } from './queries.ts'

/** Returns the selected rows of a list with this filter. Only pending investors can be selected. */
export function useReviewable(
  rows: readonly User[] | undefined,
  filter: Pick<UserQuery, 'status'>,
): RowSelection<User> {
  const canReview = useHasPermission()('users.status')
  return useRowSelection({
    rows,
    isExpected: canReview && (filter.status ?? 'pending') === 'pending',
    getRowId: ({ id }) => id,
    isSelectable: ({ status, role }) => canReview && status === 'pending' && role === 'user',
  })
}

const VERBS = {
  approve: {
    title: 'Approve',
    done: 'Approved',
    look: 'primary',
    text: 'These investors can then deposit, invest and withdraw.',
  },
  deny: {
    title: 'Deny access of',
    done: 'Denied',
    look: 'danger',
    text: 'These investors can then no longer log in, and all their sessions end. You can activate an account later.',
  },
} as const

type Review = { verb: keyof typeof VERBS; users: readonly User[] }

/** Approves or denies the selected pending investors. */
export function BulkReview({ selection }: { selection: RowSelection<User> }) {
  const [review, setReview] = useState<Review | null>(null)
  const { rows: users } = selection
  return (
    <>
      <SelectionBar selection={selection}>
        <Button size="small" look="primary" onClick={() => setReview({ verb: 'approve', users })}>
          Approve selected
        </Button>
        <Button size="small" look="danger" onClick={() => setReview({ verb: 'deny', users })}>
          Deny selected
        </Button>
      </SelectionBar>
      {review !== null && <ReviewDialog review={review} onClose={() => setReview(null)} />}
    </>
  )
}

function ReviewDialog({
  review: { verb, users },
  onClose,
}: {
  review: Review
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const { title, done, look, text } = VERBS[verb]
  const counted = formatCounted(users.length, 'account')
  return (
    <BulkDialog
      title={`${title} ${counted}?`}
      text={text}
      items={users.map(({ id, name, email }) => ({ id, label: name, detail: email }))}
      button={`${title} ${counted}`}
      look={look}
      act={async (id) => {
        const name = users.find((user) => user.id === id)?.name
        await call(changeUserStatus, { params: { id }, body: { status: verb, name } })
        return done
      }}
      fallback="Failed to update status"
      onEnd={() => invalidateMoney(queryClient)}
      onClose={onClose}
    />
  )
}
