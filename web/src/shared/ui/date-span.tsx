import { useSearchParams } from '../url/navigation.tsx'

import { useUrlState } from '../url/url-state.ts'
import { Field } from './field.tsx'
import { Input } from './inputs.tsx'

export const DATE_SPAN_WORDS = { since: 'From', until: 'To' } as const

/** Two date inputs for the custom range of a date filter; both days are inclusive. */
export function DateSpan() {
  const [search] = useSearchParams()
  const url = useUrlState()
  if (search.get('date') !== 'custom') return null
  const since = search.get('since') ?? ''
  const until = search.get('until') ?? ''
  return (
    <fieldset className="grid gap-3 border-line border-b px-5 py-4 sm:grid-cols-[12rem_12rem] print:hidden">
      <legend className="sr-only">Dates</legend>
      <Field label={DATE_SPAN_WORDS.since}>
        {(ids) => (
          <Input
            {...ids}
            type="date"
            max={until}
            value={since}
            onChange={(event) => url.set({ since: event.target.value, page: null })}
          />
        )}
      </Field>
      <Field label={DATE_SPAN_WORDS.until}>
        {(ids) => (
          <Input
            {...ids}
            type="date"
            min={since}
            value={until}
            onChange={(event) => url.set({ until: event.target.value, page: null })}
          />
        )}
      </Field>
    </fieldset>
  )
}
