import { Check, Flag } from 'lucide-react'

import { joinClasses } from './join-classes.ts'

type StepperProps = {
  steps: readonly string[]
  /** The number of the current step. The first step is 1. */
  step: number
  /**
   * True if the last step needs no input. The stepper then shows an icon instead of the step's
   * number.
   */
  hasEnd?: boolean
}

/** The named steps of a wizard. */
export function Stepper({ steps, step, hasEnd = false }: StepperProps) {
  return (
    <ol aria-label="Steps" className="grid grid-flow-col gap-2 [grid-auto-columns:1fr]">
      {steps.map((name, index) => {
        const isDone = index + 1 < step
        const isCurrent = index + 1 === step
        return (
          <li
            key={name}
            aria-current={isCurrent ? 'step' : undefined}
            className={joinClasses(
              'grid gap-2 border-t-2 pt-2 text-left text-12 sm:text-14',
              isDone || isCurrent ? 'border-accent' : 'border-line',
              isCurrent ? 'font-semibold text-ink' : 'text-muted',
            )}
          >
            <span className="flex items-center gap-1.5">
              {isDone ? (
                <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />
              ) : hasEnd && index === steps.length - 1 ? (
                <Flag aria-hidden="true" className="size-4 shrink-0" />
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
