import { type ReactNode, useState } from 'react'

import { Card } from '../../shared/ui/card.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { LazyPart } from '../../shared/ui/lazy-part.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { CheckpointCheck } from './checkpoint-check.tsx'

const VIEWS = [
  { id: 'checkpoint', label: 'Latest checkpoint' },
  { id: 'sample', label: 'Sample receipt' },
] as const

/**
 * Lets a visitor verify the log of this site in the browser. By default, the code of the sample
 * loads when the visitor chooses the sample.
 */
export function LiveProof({
  first = 'checkpoint',
  sample = <SampleWhenLoaded />,
}: {
  first?: (typeof VIEWS)[number]['id']
  sample?: ReactNode
}) {
  const [view, setView] = useState(first)
  return (
    <Card className="grid content-start">
      <fieldset className="flex gap-6 border-line border-b px-5">
        <legend className="sr-only">What to verify</legend>
        {VIEWS.map(({ id, label }) => (
          <label
            key={id}
            className={joinClasses(
              '-mb-px flex h-12 cursor-pointer items-center border-b-2 font-medium text-14 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              view === id ? 'border-accent' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name="proof"
              value={id}
              checked={view === id}
              onChange={() => setView(id)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {/* With this height, the content below does not move when the sample has loaded. */}
      <div className={joinClasses('flex flex-col gap-4 p-5', view === 'sample' && 'min-h-117')}>
        {view === 'checkpoint' ? <CheckpointCheck /> : sample}
      </div>
    </Card>
  )
}

function SampleWhenLoaded() {
  return (
    <LazyPart
      name="sample"
      load={async () => (await import('./sample-check.tsx')).SampleCheck}
      failed="The sample receipt could not be loaded."
      placeholder={<Skeleton className="h-80 w-full rounded-card" />}
    />
  )
}
