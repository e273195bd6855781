import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import type { StatementColumns } from './queries.ts'

const NAMES = [
  ['date', 'Day'],
  ['amount', 'Signed amount'],
  ['debit', 'Money out'],
  ['credit', 'Money in'],
  ['reference', 'Bank description'],
  ['balance', 'Balance'],
] as const

type ColumnChoicesProps = {
  headings: readonly string[]
  /** The columns that the server detected. */
  guessed: Readonly<Record<string, number>>
  chosen: StatementColumns
  isDayOrderOpen: boolean
  onChange: (columns: StatementColumns) => void
}

/**
 * Lets the user choose the column of each field. If the user chooses no column for a field, the
 * field keeps the detected column.
 */
export function ColumnChoices(props: ColumnChoicesProps) {
  const { headings, guessed, chosen, isDayOrderOpen, onChange } = props
  if (headings.length === 0) return null
  const choose = (name: string, value: string) => {
    const { [name]: _replaced, ...others } = guessed
    const { dayOrder } = chosen
    const places = value === '' ? others : { ...others, [name]: value }
    onChange({ ...places, ...(dayOrder === undefined ? {} : { dayOrder }) })
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium text-14">Columns</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {NAMES.map(([name, label]) => (
          <Field key={name} label={label} className="min-w-0">
            {(ids) => (
              <Select
                {...ids}
                value={guessed[name] ?? ''}
                onChange={(event) => choose(name, event.target.value)}
              >
                <option value="">None</option>
                {headings.map((heading, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its index
                  <option key={place} value={place}>
                    {place + 1}. {heading === '' ? 'without a heading' : heading}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))}
      </div>
      {(isDayOrderOpen || chosen.dayOrder !== undefined) && (
        <Field label="A day such as 03/04/2026 is">
          {(ids) => (
            <Select
              {...ids}
              value={chosen.dayOrder ?? ''}
              onChange={(event) => onChange(setDayOrder(chosen, event.target.value))}
            >
              <option value="">Choose</option>
              <option value="day-first">the 3rd of April</option>
              <option value="month-first">the 4th of March</option>
            </Select>
          )}
        </Field>
      )}
    </fieldset>
  )
}

function setDayOrder(columns: StatementColumns, value: string): StatementColumns {
  const { dayOrder: _replaced, ...others } = columns
  if (value !== 'day-first' && value !== 'month-first') return others
  return { ...others, dayOrder: value }
}
