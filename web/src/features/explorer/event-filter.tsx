import type { FormEvent } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { describeEvent, type FilterName } from './describe-event.ts'

const FIELDS: ReadonlyArray<{
  name: FilterName
  label: string
  kind: 'text' | 'date'
  placeholder?: string
}> = [
  {
    name: 'reference',
    label: 'Reference',
    kind: 'text',
    placeholder: 'Of a transaction',
  },
  { name: 'user', label: 'User', kind: 'text', placeholder: 'Name or email' },
  { name: 'account', label: 'Account', kind: 'text', placeholder: 'Code or bank' },
  { name: 'actor', label: 'Actor', kind: 'text', placeholder: 'Name or system' },
  { name: 'amount', label: 'Amount', kind: 'text', placeholder: 'Of a posting' },
  { name: 'externalId', label: 'External ID', kind: 'text', placeholder: 'Other system' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
]

/**
 * The classes of a field by its type. On a phone a date field spans two columns, because one column
 * is too narrow.
 */
const WIDTHS = { text: 'min-w-0', date: 'col-span-2 min-w-0 sm:col-span-1' }

/** Filters the events of the log. The URL stores the filter. */
export function LogFilter({ types }: { types: readonly string[] }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const type = search.get('type') ?? ''
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const names = ['type', ...FIELDS.map(({ name }) => name)]
    url.set(Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '').trim()])))
  }
  const clear = () =>
    url.set(
      Object.fromEntries(['type', ...FIELDS.map(({ name }) => name)].map((name) => [name, null])),
    )
  return (
    <Card className="p-5">
      <search aria-label="Search the ledger">
        <form
          onSubmit={submit}
          className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 xl:grid-cols-5"
        >
          <Field label="Type" className="min-w-0">
            {(ids) => (
              <Select {...ids} name="type" defaultValue={type}>
                <option value="">All types</option>
                {[...new Set([...types, ...(type === '' ? [] : [type])])].map((each) => (
                  <option key={each} value={each}>
                    {describeEvent(each)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {FIELDS.map(({ name, label, kind, placeholder }) => (
            <Field key={name} label={label} className={WIDTHS[kind]}>
              {(ids) => (
                <Input
                  {...ids}
                  type={kind}
                  name={name}
                  placeholder={placeholder}
                  maxLength={120}
                  defaultValue={search.get(name) ?? ''}
                />
              )}
            </Field>
          ))}
          <span className="col-span-2 flex gap-2 sm:col-span-1">
            <Button type="submit" look="primary" className="h-11 flex-1">
              Search
            </Button>
            <Button onClick={clear} className="h-11">
              Clear
            </Button>
          </span>
        </form>
      </search>
    </Card>
  )
}
