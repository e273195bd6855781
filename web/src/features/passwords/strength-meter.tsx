import { useDeferredValue, useEffect, useState } from 'react'

import { joinClasses } from '../../shared/ui/join-classes.ts'
import { listContextWords, rateStrength, type Strength } from './strength.ts'

const STEPS = [1, 2, 3, 4] as const
const TONES: Record<Strength['level'], string> = {
  0: 'bg-declined',
  1: 'bg-declined',
  2: 'bg-pending',
  3: 'bg-success',
  4: 'bg-success',
}

type Estimate = (password: string, context: readonly string[]) => number
type MeterProps = {
  password: string
  /** Personal data of the user. A password that contains this data is easy to guess. */
  known?: readonly string[]
}

/**
 * Shows an estimate; only the server decides whether a password is accepted. The large estimator
 * loads when the user starts to type.
 */
export function StrengthMeter({ password, known = [] }: MeterProps) {
  // The estimate is computed after the typed text is shown, so that typing stays fast.
  const typed = useDeferredValue(password)
  const estimate = useEstimate(password !== '')
  const score = estimate === null ? null : estimate(typed, listContextWords(known))
  const strength = rateStrength(typed, score)
  return (
    <div className={joinClasses('grid gap-1.5', strength === null ? '-mt-5' : '-mt-2')}>
      {strength !== null && (
        <div aria-hidden="true" className="grid grid-cols-4 gap-1">
          {STEPS.map((step) => (
            <span
              key={step}
              className={joinClasses(
                'h-1.5 rounded-full',
                step <= strength.level ? TONES[strength.level] : 'bg-line',
              )}
            />
          ))}
        </div>
      )}
      <p aria-live="polite" className="text-12 text-muted empty:hidden">
        {strength !== null && (
          <>
            <span className="sr-only">Password strength: </span>
            {strength.words}
          </>
        )}
      </p>
    </div>
  )
}

/** Returns the estimator, or null until it has loaded. */
function useEstimate(isNeeded: boolean): Estimate | null {
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  useEffect(() => {
    if (!isNeeded) return
    let isGone = false
    import('./strength-estimate.ts').then(
      ({ estimateScore }) => {
        if (!isGone) setEstimate(() => estimateScore)
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [isNeeded])
  return estimate
}
