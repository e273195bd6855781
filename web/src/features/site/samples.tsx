import { lazy, Suspense } from 'react'

import { useIdle } from '../../shared/ui/deferred.ts'

// The sections are at the end of a page and need data, so their code is not in its first scripts.
const Late = lazy(async () => ({ default: (await import('./late-samples.tsx')).Endorsements }))

/** Lists the sponsors or the testimonials once the browser is idle. */
export function Endorsements({ of }: { of: 'sponsor' | 'testimonial' }) {
  return useIdle() ? (
    <Suspense>
      <Late of={of} />
    </Suspense>
  ) : null
}
