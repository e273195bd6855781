import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'

import { publicEndorsementQueries } from '../endorsements/index.ts'
import { settingsQueries } from '../settings/index.ts'

// The code loads beside the page, so that it is there when the data arrives. A section that appears
// later than the other data would move what is being read.
const loading = import('./endorsement-sections.tsx')
const Late = lazy(async () => ({ default: (await loading).Endorsements }))

/** Shows the sponsors or the testimonials, if there are any. */
export function Endorsements({ of }: { of: 'sponsor' | 'testimonial' }) {
  const settings = useQuery(settingsQueries.public()).data
  const all = useQuery(publicEndorsementQueries.list()).data
  if (settings === undefined || all === undefined) return null
  return (
    <Suspense>
      <Late of={of} all={all} isDemo={settings.isDemo} />
    </Suspense>
  )
}
