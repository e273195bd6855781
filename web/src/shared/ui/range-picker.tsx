import { joinClasses } from './join-classes.ts'

/** A group of toggle buttons for a time range. */
export function RangePicker<Id extends string>({
  label,
  ranges,
  value,
  onChange,
}: {
  label: string
  ranges: ReadonlyArray<readonly [id: Id, words: string]>
  value: Id
  onChange: (id: Id) => void
}) {
  return (
    <fieldset className="flex w-fit flex-wrap gap-0.5 rounded-card bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {ranges.map(([id, words]) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === value}
          onClick={() => onChange(id)}
          className={joinClasses(
            'h-7 rounded-sm px-2.5 font-medium text-12 transition-colors duration-150',
            id === value
              ? 'bg-surface text-ink ring-1 ring-line-strong ring-inset'
              : 'text-muted hover:text-ink',
          )}
        >
          {words}
        </button>
      ))}
    </fieldset>
  )
}
