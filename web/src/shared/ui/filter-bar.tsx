import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { ReactNode } from 'react'
import { DATE_FILTER, NO_DATE } from '../dates/date-filter.ts'
import { formatDate } from '../dates/format-date.ts'
import { isFiltered } from '../url/filtered.ts'
import { useSearchParams } from '../url/navigation.tsx'
import { useUrlState } from '../url/url-state.ts'
import { Button } from './button.tsx'
import { DATE_SPAN_WORDS, DateSpan } from './date-span.tsx'
import { focusSearch } from './focus-search.ts'
import { Select } from './inputs.tsx'
import { joinClasses } from './join-classes.ts'
import { SearchField } from './search-field.tsx'

const CUSTOM_RANGE = 'custom' satisfies (typeof DATE_FILTER.options)[number][0]

/** A select whose value is the URL parameter `name`; the empty value means no filter. */
export type Filter = {
  name: string
  label: string
  options: ReadonlyArray<readonly [value: string, label: string]>
}

type FilterBarProps = {
  /** The name of the search, such as `Search users`. */
  label: string
  /** What the search compares, such as `name or email`. The placeholder shows it. */
  searched: string
  filters: readonly Filter[]
  total: number | undefined
  /**
   * The parameters that clearing the filters removes from the URL. Without them, the bar has no
   * button for it. A list without results has the button in its message.
   */
  cleared?: Readonly<Record<string, null>>
  /** The menu of the table, at the end of the bar. */
  menu?: ReactNode
}

/** The number of letters for which a narrow filter has room. */
const NARROW_LETTERS_MAX = 13

/** Returns a width in which the longest option is not cut off. The search gets the rest. */
function getWidth({ options }: Filter): string {
  const isNarrow = options.every(([, words]) => words.length <= NARROW_LETTERS_MAX)
  return isNarrow ? '9.5rem' : '12.5rem'
}

/** Shows the search, the filters and the number of results. The URL stores their state. */
export function FilterBar(props: FilterBarProps) {
  const { label, searched, filters, total, cleared, menu } = props
  const [search] = useSearchParams()
  const url = useUrlState()
  const records = total === undefined ? null : formatRecordCount(total)
  // Beside three filters, the placeholder of the search fits only on a wide screen.
  const isLong = filters.length >= 3
  return (
    <>
      <div
        style={{ '--filters': filters.map(getWidth).join(' ') }}
        className={joinClasses(
          'grid grid-cols-2 gap-3 border-line border-b px-5 py-4 xl:items-center print:hidden',
          isLong
            ? 'md:max-xl:grid-cols-3 xl:max-[88rem]:grid-cols-[var(--filters)_1fr] min-[88rem]:grid-cols-[1fr_var(--filters)_auto]'
            : 'xl:grid-cols-[1fr_var(--filters)_auto]',
        )}
      >
        <SearchField
          className={joinClasses(
            'col-span-full',
            isLong ? 'min-[88rem]:col-span-1' : 'xl:col-span-1',
          )}
          label={`${label} by ${searched}`}
          placeholder={`${searched.charAt(0).toUpperCase()}${searched.slice(1)}`}
          value={search.get('q') ?? ''}
          onChange={(q) => url.set({ q, page: null }, { replace: true })}
        />
        {filters.map(({ name, label: filterLabel, options }) => (
          <Select
            key={name}
            aria-label={filterLabel}
            value={search.get(name) ?? ''}
            onChange={(event) =>
              url.set({
                ...(name === DATE_FILTER.name ? NO_DATE : {}),
                [name]: event.target.value,
                page: null,
              })
            }
          >
            {options.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        ))}
        <span
          className={joinClasses(
            'flex items-center justify-between gap-3 xl:justify-end',
            // Beside a single filter, half of the row is free, but too narrow on a phone.
            filters.length === 1 ? 'max-sm:col-span-full' : 'max-xl:col-span-full',
          )}
        >
          <span
            role="status"
            className="tabular min-h-5 text-14 text-muted xl:min-w-28 xl:text-right"
          >
            {records}
          </span>
          {cleared !== undefined && total !== undefined && total > 0 && (
            <ClearButton cleared={cleared} />
          )}
          {menu}
        </span>
      </div>
      <DateSpan />
      <p className="hidden border-line border-b px-5 py-3 text-14 print:block">
        {[...listActiveFilters(search, filters), records].filter(Boolean).join(' · ')}
      </p>
    </>
  )
}

/** The button disappears with the filters, so it moves the focus to the search of the list. */
function ClearButton({ cleared }: { cleared: Readonly<Record<string, null>> }) {
  const [search] = useSearchParams()
  const url = useUrlState()
  // A later page is no filter.
  const { page: _page, ...filters } = cleared
  if (!isFiltered(search, filters)) return null
  return (
    <Button
      look="quiet"
      // The row is as high as the menu, so that the button moves nothing when the list has loaded.
      size="small"
      // In one row with the search and three filters, the button would cut off the placeholder.
      className="max-sm:-mx-3 min-[88rem]:hidden"
      onClick={({ currentTarget }) => {
        focusSearch(currentTarget)
        url.set(cleared)
      }}
    >
      Clear the filters
    </Button>
  )
}

function formatRecordCount(total: number): string {
  return formatCounted(total, 'Record')
}

/** Lists the active filters as text for print. */
function listActiveFilters(search: URLSearchParams, filters: readonly Filter[]): readonly string[] {
  const q = search.get('q') ?? ''
  const chosen = filters.flatMap(({ name, label, options }) => {
    const value = search.get(name) ?? ''
    const option = options.find(([each]) => each === value)
    // The days of a custom range follow below.
    const isNamed = option !== undefined && value !== '' && value !== CUSTOM_RANGE
    return isNamed ? [`${label}: ${option[1]}`] : []
  })
  for (const name of ['since', 'until'] as const) {
    const day = search.get(name) ?? ''
    if (day !== '') chosen.push(`${DATE_SPAN_WORDS[name]} ${formatDate(day, 'day')}`)
  }
  return q === '' ? chosen : [`Search: “${q}”`, ...chosen]
}
