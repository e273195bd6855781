import { useState } from 'react'

import { Card } from '../../shared/ui/card.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { CheckpointCheck } from './checkpoint-check.tsx'
import { SampleCheck } from './sample-check.tsx'

const VIEWS = [
  { id: 'checkpoint', label: 'Latest checkpoint' },
  { id: 'sample', label: 'Sample receipt' },
] as const

/** Lets a visitor verify the log of this site in the browser. */
export function LiveProof({ first = 'checkpoint' }: { first?: (typeof VIEWS)[number]['id'] }) {
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
      <div className="flex min-h-108 flex-col gap-4 p-5">
        {view === 'checkpoint' ? <CheckpointCheck /> : <SampleCheck />}
      </div>
    </Card>
  )
}
