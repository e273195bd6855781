import type { MouseEvent } from 'react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { useOpenedId } from '../../shared/ui/opened-id.ts'
import { type User, useChangeStatus } from './queries.ts'

/** A decision about a pending user. The administrator has not confirmed the decision yet. */
export type PendingReview = { user: User; verb: 'approve' | 'deny' }

const VERBS = {
  approve: {
    title: 'Approve this account?',
    label: 'Approve',
    look: 'primary',
    text: 'can then deposit, invest and withdraw.',
  },
  deny: {
    title: 'Deny access?',
    label: 'Deny Access',
    look: 'danger',
    text: 'can then no longer log in, and every session ends. You can activate the account later.',
  },
} as const

/** Tells whether an administrator can approve or deny the user. */
export function hasPendingDecision({ status, role }: Pick<User, 'status' | 'role'>): boolean {
  return status === 'pending' && role === 'user'
}

/** The buttons of a pending investor in the list of users. */
export function PendingActions({
  user,
  onChoose,
  isLarge = false,
}: {
  user: User
  onChoose: (review: PendingReview) => void
  /** True if the buttons have the size for a finger. */
  isLarge?: boolean
}) {
  const size = isLarge ? 'touch' : 'small'
  const hasPermission = useHasPermission()
  if (!hasPendingDecision(user)) return null
  if (!hasPermission('users.status')) return null
  const choose = (verb: PendingReview['verb']) => (event: MouseEvent) => {
    // Without this call, the click would also reach the row, which opens the page of the user.
    event.stopPropagation()
    onChoose({ user, verb })
  }
  const describe = (label: string) => `${label} ${user.name}`
  return (
    <span className={isLarge ? 'inline-flex gap-3' : 'inline-flex gap-2'}>
      <Button size={size} aria-label={describe('Approve')} onClick={choose('approve')}>
        Approve
      </Button>
      <Button size={size} aria-label={describe('Deny')} onClick={choose('deny')}>
        Deny
      </Button>
    </span>
  )
}

/** Asks for a confirmation of the decision, and states its consequences. */
export function PendingReviewDialog({
  review,
  onClose,
}: {
  review: PendingReview | null
  onClose: () => void
}) {
  if (review === null) return null
  // The new key for each decision resets the mutation, so that no failure of a previous decision is
  // shown.
  return <OpenDialog key={`${review.user.id}/${review.verb}`} review={review} onClose={onClose} />
}

function OpenDialog({ review, onClose }: { review: PendingReview; onClose: () => void }) {
  const { user, verb } = review
  const { title, label, look, text } = VERBS[verb]
  const change = useChangeStatus()
  const openedId = useOpenedId(user.id)
  const submit = () =>
    void change.mutateAsync({ id: user.id, body: { status: verb, name: user.name } }).then(
      () => {
        notifySuccess("User's status changed successfully!")
        if (openedId.current === user.id) onClose()
      },
      () => {},
    )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose} disabled={change.isPending}>
            Back
          </Button>
          <Button look={look} pending={change.isPending} onClick={submit}>
            {label}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-14">
        <p>
          <strong>{user.name}</strong> ({user.email}, {user.countryName}) {text}
        </p>
        <ActFailure error={change.error} fallback="Failed to update status" />
      </div>
    </Dialog>
  )
}
