import { type FormEvent, useState } from 'react'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { type User, useReviewName } from './queries.ts'

/** Lets an administrator approve or reject the new name of a user. */
export function NameReview({ user }: { user: User }) {
  const { pendingName } = user
  if (pendingName === null) return null
  // The key empties the form, because the reason of one name says nothing about another name.
  return <ReviewForm key={pendingName} user={user} pendingName={pendingName} />
}

function ReviewForm({ user, pendingName }: { user: User; pendingName: string }) {
  const review = useReviewName(user.id)
  const [reason, setReason] = useState('')
  const decide = (decision: 'approve' | 'reject') =>
    review.mutateAsync({ name: pendingName, decision, reason }).then(
      () =>
        notifySuccess(decision === 'approve' ? 'The name is changed.' : 'The name is rejected.'),
      () => {},
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void decide('approve')
  }
  const error = getFieldErrors(review.error).reason
  return (
    <Card>
      <CardHeader title="Name to review" />
      <form onSubmit={submit} className="grid gap-4 p-5">
        <p className="text-14">
          New name: <strong className="break-words font-medium">{pendingName}</strong>, instead of{' '}
          <span className="break-words">{user.name}</span>
        </p>
        <Field label="How you checked the name" hint="Stored in the audit log." error={error}>
          {(ids) => (
            <Input
              {...ids}
              required
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {review.isError && error === undefined && (
          <Notice tone="error">
            {getErrorMessage(review.error, 'The name could not be reviewed.')}
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" pending={review.isPending}>
            Approve name
          </Button>
          <Button
            look="danger"
            disabled={review.isPending || reason.trim() === ''}
            onClick={() => void decide('reject')}
          >
            Reject name
          </Button>
        </div>
      </form>
    </Card>
  )
}
