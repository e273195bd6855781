import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { Input, Select } from '../../ui/inputs.tsx'
import { useUrlState } from '../../url/url-state.ts'
import { FILTERS } from './admin-filters.ts'

const TYPING_PAUSE_MS = 300

const LABELS = { type: 'Type', status: 'Status', date: 'Date' } as const

export function FilterBar({ total }: { total: number | undefined }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  return (
    <div className="grid grid-cols-2 gap-3 border-line border-b p-4 lg:grid-cols-[1fr_repeat(3,10rem)_auto] lg:items-center">
      <SearchField
        value={search.get('q') ?? ''}
        onChange={(q) => url.set({ q, page: null }, { replace: true })}
      />
      {(['type', 'status', 'date'] as const).map((name) => (
        <Select
          key={name}
          aria-label={LABELS[name]}
          value={search.get(name) ?? ''}
          onChange={(event) => url.set({ [name]: event.target.value, page: null })}
        >
          {FILTERS[name].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      ))}
      <span
        role="status"
        className="tabular self-center text-14 text-muted lg:min-w-20 lg:text-right"
      >
        {total !== undefined &&
          (total === 1 ? '1 Record' : `${total.toLocaleString('en-US')} Records`)}
      </span>
    </div>
  )
}

/** Asks once the typing pauses, not with each letter. */
function SearchField({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    // The address changed by other means, such as Back.
    setShown(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <span className="relative col-span-2 block lg:col-span-1">
      <Search aria-hidden="true" className="absolute top-3.5 left-3 size-4 text-muted" />
      <Input
        type="search"
        aria-label="Search transactions"
        placeholder="Search by reference, name, e-mail or amount"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="truncate pl-9"
      />
    </span>
  )
}
