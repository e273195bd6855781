import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { RANGES } from '../../shared/dates/chart-ranges.ts'
import { getCurrentMinute } from '../../shared/dates/current-minute.ts'
import { formatDate } from '../../shared/dates/format-date.ts'
import { useStoredChoice } from '../../shared/preferences/stored-choice.ts'
import { type Theme, themeChoice } from '../../shared/preferences/theme.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { listDateLanguages, listTimeZones } from './choices.ts'
import { type Preferences, preferenceQueries, useSavePreferences } from './queries.ts'

const THEMES: ReadonlyArray<readonly [Theme, string]> = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const RANGE_WORDS = {
  '1W': 'One week',
  '1M': 'One month',
  '3M': 'Three months',
  YTD: 'Year to date',
  '1Y': 'One year',
  MAX: 'All',
} as const

export function PreferencesTab() {
  const { data, isError, refetch, isFetching } = useQuery(preferenceQueries.readOwnPreferences())
  if (isError && data === undefined) {
    return (
      <FailedState
        message="Your preferences could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (data === undefined) return <Skeleton className="h-96 w-full rounded-card" />
  return <Choices chosen={data} />
}

function Choices({ chosen }: { chosen: Preferences }) {
  const save = useSavePreferences()
  const theme = useStoredChoice(themeChoice)
  const [languages] = useState(listDateLanguages)
  const [zones] = useState(listTimeZones)
  const { language, timeZone, defaultRange } = chosen
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title="Dates and times" />
        <div className="grid gap-5 p-5">
          <Field
            label="Date format"
            hint="Sets the names of months, the order of day and month and the first day of the week, but neither the language of the pages nor the way amounts are written."
          >
            {(ids) => (
              <Select
                {...ids}
                value={language ?? ''}
                onChange={(event) => save.mutate({ language: event.target.value || null })}
              >
                <option value="">Site default</option>
                {addChosenOption(languages, language).map(([tag, name]) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            label="Time zone"
            hint="Used for days in lists, filters and charts; documents and emails use the time zone of the site."
          >
            {(ids) => (
              <Select
                {...ids}
                value={timeZone ?? ''}
                onChange={(event) => save.mutate({ timeZone: event.target.value || null })}
              >
                <option value="">This browser’s: {ownZone}</option>
                {addChosenOption(zones, timeZone).map(([zone, name]) => (
                  <option key={zone} value={zone}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <p role="status" className="text-14">
            <span className="text-muted">It is now</span>{' '}
            <span className="tabular font-medium">
              {formatDate(getCurrentMinute(), 'moment', { language, timeZone })}
            </span>
          </p>
        </div>
      </Card>
      <Card>
        <CardHeader title="Appearance" />
        <div className="grid gap-5 p-5 sm:grid-cols-2">
          <Field label="Charts open on">
            {(ids) => (
              <Select
                {...ids}
                value={defaultRange ?? ''}
                onChange={(event) =>
                  save.mutate({
                    defaultRange: RANGES.find((each) => each === event.target.value) ?? null,
                  })
                }
              >
                <option value="">Last used range</option>
                {RANGES.map((range) => (
                  <option key={range} value={range}>
                    {RANGE_WORDS[range]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Theme" hint="Stored in this browser only.">
            {(ids) => (
              <Select
                {...ids}
                value={theme}
                onChange={(event) => {
                  const next = THEMES.find(([each]) => each === event.target.value)
                  if (next !== undefined) themeChoice.set(next[0])
                }}
              >
                {THEMES.map(([each, words]) => (
                  <option key={each} value={each}>
                    {words}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      </Card>
      {save.isError && (
        <Notice tone="error">
          {getErrorMessage(save.error, 'Your choice could not be saved. Please try again.')}
        </Notice>
      )}
    </div>
  )
}

type Option = readonly [value: string, name: string]

/** If this browser does not offer the stored value, adds the stored value to the options. */
function addChosenOption(options: readonly Option[], chosen: string | null): readonly Option[] {
  const isKnown = chosen === null || options.some(([value]) => value === chosen)
  return isKnown ? options : [[chosen, chosen], ...options]
}
