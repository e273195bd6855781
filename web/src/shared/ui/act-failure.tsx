import { useEffect } from 'react'

import { getErrorMessage, getWaitingRequest } from '../api/failure.ts'
import { Notice } from './notice.tsx'
import { TextLink } from './text-link.tsx'
import { useForgetEntries } from './unsaved-entries.tsx'

/**
 * Shows the reason why an action was not carried out. If the action waits for a second
 * administrator, the notice links to its change request.
 */
export function ActFailure({ error, fallback }: { error: unknown; fallback: string }) {
  const request = getWaitingRequest(error)
  const requestId = request?.id
  const forgetEntries = useForgetEntries()
  useEffect(() => {
    // The request contains the entries.
    if (requestId !== undefined) forgetEntries()
  }, [requestId, forgetEntries])
  if (error === null || error === undefined) return null
  if (request === null) return <Notice tone="error">{getErrorMessage(error, fallback)}</Notice>
  return (
    <Notice tone="info">
      Sent for approval. Nothing has changed yet: another administrator must approve it.{' '}
      <TextLink to={`/manage/admin/approvals?request=${request.id}`}>View the request</TextLink>
    </Notice>
  )
}
