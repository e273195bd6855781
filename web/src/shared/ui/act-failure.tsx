import { changeRequestOf, messageOf } from '../api/failure.ts'
import { Notice } from './notice.tsx'
import { TextLink } from './text-link.tsx'

/**
 * Shows why an act was not carried out. An act that waits for another administrator is no error: the
 * notice links to its request.
 */
export function ActFailure({ error, fallback }: { error: unknown; fallback: string }) {
  if (error === null || error === undefined) return null
  const request = changeRequestOf(error)
  if (request === null) return <Notice tone="error">{messageOf(error, fallback)}</Notice>
  return (
    <Notice tone="info">
      Sent for approval. Nothing has changed yet: another administrator must approve it.{' '}
      <TextLink to={`/manage/admin/approvals?request=${request.id}`}>View the request</TextLink>
    </Notice>
  )
}
