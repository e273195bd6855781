import { useSearchParams } from '../url/navigation.tsx'
import { useUrlState } from '../url/url-state.ts'
import { Field } from './field.tsx'
import { Input } from './inputs.tsx'
import { useTypedText } from './typed-text.ts'

export const DATE_SPAN_WORDS = { since: 'From', until: 'To' } as const

/** Two date inputs for the custom range of a date filter; both days are inclusive. */
export function DateSpan() {
  const [search] = useSearchParams()
  if (search.get('date') !== 'custom') return null
  return (
    <fieldset className="grid gap-3 border-line border-b px-5 py-4 sm:grid-cols-[12rem_12rem] print:hidden">
      <legend className="sr-only">Dates</legend>
      <DayField name="since" max={search.get('until') ?? ''} />
      <DayField name="until" min={search.get('since') ?? ''} />
    </fieldset>
  )
}

function DayField({
  name,
  ...limits
}: {
  name: keyof typeof DATE_SPAN_WORDS
  min?: string
  max?: string
}) {
  const [search] = useSearchParams()
  const url = useUrlState()
  // The first digit of a year already makes a complete date, such as 0002-11-01.
  const [typed, setTyped] = useTypedText(search.get(name) ?? '', (day) =>
    url.set({ [name]: day, page: null }, { replace: true }),
  )
  return (
    <Field label={DATE_SPAN_WORDS[name]}>
      {(ids) => (
        <Input
          {...ids}
          {...limits}
          type="date"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </Field>
  )
}
