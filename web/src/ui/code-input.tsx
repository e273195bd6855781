import { useRef } from 'react'

import { cx } from './cx.ts'

type CodeInputProps = {
  length: number
  value: string
  onChange: (code: string) => void
  label: string
  invalid?: boolean
  describedBy?: string | undefined
}

/** One field drawn as boxes: one label, one value, so that pasting and one-time-code filling work. */
export function CodeInput({
  length,
  value,
  onChange,
  label,
  invalid = false,
  describedBy,
}: CodeInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const places = Array.from({ length }, (_, place) => place)
  return (
    <div className="relative w-fit">
      <input
        ref={input}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, length))}
        onFocus={(event) => {
          const end = event.target.value.length
          event.target.setSelectionRange(end, end)
        }}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        inputMode="numeric"
        autoComplete="one-time-code"
        name="code"
        className="peer absolute inset-0 z-10 h-full w-full cursor-text text-transparent caret-transparent opacity-0"
      />
      <div aria-hidden="true" className="flex gap-3">
        {places.map((place) => {
          const isNext = place === Math.min(value.length, length - 1)
          return (
            <span
              key={place}
              className={cx(
                'tabular flex h-16 w-14 items-center justify-center rounded-card border bg-surface font-semibold text-28',
                invalid ? 'border-declined' : 'border-line-strong',
                isNext && 'code-box-next',
              )}
            >
              {value[place] ?? ''}
            </span>
          )
        })}
      </div>
    </div>
  )
}
