import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { getErrorCode } from '../api/failure.ts'
import { FailedState } from './failed-state.tsx'
import { Notice } from './notice.tsx'

type StoredPictureProps = {
  src: string
  /** Reads the picture through the API, because an image element does not say why it failed. */
  check: {
    queryKey: QueryKey
    queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
  }
  /** The message if the picture cannot be loaded. */
  failed: string
  /** What to do without the picture. Only shown if the server has it unchanged, or has none. */
  advice?: string | undefined
  /** The message if the stored bytes are not the uploaded ones, so that the server refuses them. */
  changed: string
  /** The picture: an image element, possibly in a link or a scrollable region. */
  children: ReactNode
}

/** Shows a picture that was uploaded, or says why it cannot be shown. */
export function StoredPicture({
  src,
  check,
  failed,
  advice,
  changed,
  children,
}: StoredPictureProps) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null)
  if (brokenSrc !== src) {
    return (
      <div className="contents" onErrorCapture={() => setBrokenSrc(src)}>
        {children}
      </div>
    )
  }
  return (
    <PictureFailure
      check={check}
      failed={failed}
      advice={advice}
      changed={changed}
      onRetry={() => setBrokenSrc(null)}
    />
  )
}

type FailureProps = Pick<StoredPictureProps, 'check' | 'failed' | 'advice' | 'changed'> & {
  onRetry: () => void
}

function PictureFailure({ check, failed, advice, changed, onRetry }: FailureProps) {
  const { error, isPending } = useQuery({
    ...check,
    retry: false,
    gcTime: 0,
    // A later read that fails must not replace the warning that the picture was changed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Without a connection, the check fails at once and does not wait for one.
    networkMode: 'always',
  })
  if (isPending) return <Notice tone="info">Checking the picture…</Notice>
  if (getErrorCode(error) === 'FILE_CHANGED') return <Notice tone="error">{changed}</Notice>
  const isAnswered = error === null || getErrorCode(error) === 'NOT_FOUND'
  const message = isAnswered && advice !== undefined ? `${failed} ${advice}` : failed
  return <FailedState message={message} onRetry={onRetry} />
}
