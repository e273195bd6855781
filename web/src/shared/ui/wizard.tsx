import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

import { usePageTitle } from './page-title.ts'
import { Progress } from './progress.tsx'
import { TextLink } from './text-link.tsx'

const PERCENT_PER_STEP = 50

type WizardProps = {
  steps: readonly [string, string, string]
  step: 1 | 2 | 3
  back: { to: string; label: string }
  children: ReactNode
}

/**
 * Shows the steps of a task under one title. The third step is the result, in which the user does
 * nothing. Moves the focus to the heading of each new step.
 */
export function Wizard({ steps, step, back, children }: WizardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  const title = usePageTitle()
  const place = step === 3 ? 'Done' : `Step ${step} of 2`
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [step])
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6">
      <TextLink to={back.to} className="inline-flex w-fit items-center gap-1.5 text-14">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {back.label}
      </TextLink>
      <div className="grid gap-3">
        <p className="flex max-w-none items-center justify-between text-14 text-muted">
          <span>{title}</span>
          <span className="tabular">{place}</span>
        </p>
        <Progress percent={Math.min(step, 2) * PERCENT_PER_STEP} label={title} text={place} />
      </div>
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-28 tracking-tight">
        {steps[step - 1]}
      </h1>
      {children}
    </div>
  )
}
