import { cx } from './cx.ts'

type SegmentsProps<Value extends string> = {
  label: string
  options: ReadonlyArray<readonly [value: Value, short: string, words: string]>
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, all of them in sight. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, options, value, onChange } = props
  return (
    <fieldset className="flex w-fit flex-wrap gap-0.5 rounded-card bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, short, words]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          aria-label={words}
          onClick={() => onChange(option)}
          className={cx(
            'h-8 min-w-10 rounded-sm px-2.5 font-medium text-12 transition-colors duration-150',
            option === value
              ? 'border border-line bg-surface text-ink'
              : 'text-muted hover:text-ink',
          )}
        >
          {short}
        </button>
      ))}
    </fieldset>
  )
}
