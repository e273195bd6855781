import { useQuery } from '@tanstack/react-query'

import { Notice } from '../../shared/ui/notice.tsx'
import { settingsQueries } from './queries.ts'

/** Shows where the emails of a demo can be read. */
export function DemoMailNotice() {
  const mailUrl = useQuery(settingsQueries.readPublic()).data?.mailUrl ?? null
  if (mailUrl === null) return null
  return (
    <Notice tone="info">
      This is a demo: every email arrives on{' '}
      <a href={mailUrl} target="_blank" rel="noreferrer" className="underline">
        the demo’s email page
      </a>
      .
    </Notice>
  )
}
