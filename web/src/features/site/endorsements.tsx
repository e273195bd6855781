import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { settingsQueries } from '../settings/index.ts'

// The lists are at the end of a page and need data, so their scripts load after the page.
const EndorsementLists = lazy(async () => ({
  default: (await import('./endorsement-lists.tsx')).EndorsementLists,
}))

/**
 * Shows testimonials and, with `withSponsors`, sponsors. Renders nothing before the settings have
 * loaded, so that the prerendered page contains no part that the browser must wait for.
 */
export function Endorsements({ withSponsors = false }: { withSponsors?: boolean }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  if (settings === undefined) return null
  const { testimonial, sponsor } = settings.endorsementCounts
  return (
    <Suspense
      fallback={testimonial + sponsor > 0 ? <Skeleton className="block h-72 w-full" /> : null}
    >
      <EndorsementLists settings={settings} withSponsors={withSponsors} />
    </Suspense>
  )
}
