import { useRef } from 'react'

import { joinClasses } from './join-classes.ts'

type CodeInputProps = {
  length: number
  value: string
  onChange: (code: string) => void
  label: string
  invalid?: boolean
  describedBy?: string | undefined
  /** True to draw smaller boxes, for places with little width. */
  compact?: boolean
}

/** One input drawn as boxes, so that pasting and one-time-code autofill work. */
export function CodeInput({
  length,
  value,
  onChange,
  label,
  invalid = false,
  describedBy,
  compact = length > 4,
}: CodeInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const places = Array.from({ length }, (_, place) => place)
  return (
    <div className="relative w-fit">
      <input
        ref={input}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, length))}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text').replace(/\D/g, '')
          if (pasted.length !== length) return
          // If the user pastes a complete code, it replaces the value, wherever the caret is.
          event.preventDefault()
          onChange(pasted)
        }}
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
      <div aria-hidden="true" className={joinClasses('flex', compact ? 'gap-1.5' : 'gap-3')}>
        {places.map((place) => {
          const isNext = place === Math.min(value.length, length - 1)
          return (
            <span
              key={place}
              className={joinClasses(
                'tabular flex items-center justify-center rounded-card border bg-surface font-semibold',
                compact ? 'h-12 w-10 text-20' : 'h-16 w-14 text-28',
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
