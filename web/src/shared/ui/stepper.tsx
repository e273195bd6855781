import { Check } from 'lucide-react'

import { cx } from './cx.ts'

/** The named steps of a wizard; `step` counts from 1. */
export function Stepper({ steps, step }: { steps: readonly string[]; step: number }) {
  return (
    <ol aria-label="Steps" className="grid grid-flow-col gap-2 [grid-auto-columns:1fr]">
      {steps.map((name, index) => {
        const isDone = index + 1 < step
        const isCurrent = index + 1 === step
        return (
          <li
            key={name}
            aria-current={isCurrent ? 'step' : undefined}
            className={cx(
              'grid gap-2 border-t-2 pt-2 text-12 sm:text-14',
              isDone || isCurrent ? 'border-accent' : 'border-line',
              isCurrent ? 'font-semibold text-ink' : 'text-muted',
            )}
          >
            <span className="flex items-center gap-1.5">
              {isDone ? (
                <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
              ) : (
                <span aria-hidden="true" className="tabular">
                  {index + 1}
                </span>
              )}
              {name}
              {isDone && <span className="sr-only">, done</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
