import { CircleX } from 'lucide-react'
import type { Claim } from '../claims/index.ts'

/**
 * Lists the claims that the site does not make. Each heading says that its claim is not made, and
 * the line below it says what is true instead. The missing evidence opens without a script.
 */
export function NotClaimed({ claims }: { claims: readonly Claim[] }) {
  const withheld = claims.filter(({ state }) => state === 'withheld')
  if (withheld.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold text-16">What we don’t claim</h3>
      <ul className="grid gap-x-8 gap-y-4 text-14 sm:grid-cols-2 lg:grid-cols-3">
        {withheld.map(({ key, wording, text, evidence, rule }) => (
          <li key={key} className="grid content-start gap-1 border-line border-t pt-3">
            <h4 className="flex gap-2">
              <CircleX aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
              <span>
                <span className="text-muted">Not claimed:</span> {wording}
              </span>
            </h4>
            <p className="pl-6 text-muted">{text === '' ? 'Not offered' : text}</p>
            <details className="pl-6 text-12 text-muted">
              <summary className="w-fit py-1 font-medium text-accent underline underline-offset-4">
                Missing evidence<span className="sr-only">: {wording}</span>
              </summary>
              <p className="pt-1">Needs: {rule}</p>
              {evidence.length > 0 && (
                <p className="pt-1">
                  Now: {evidence.map(({ label, value }) => `${label}: ${value}`).join(' · ')}
                </p>
              )}
            </details>
          </li>
        ))}
      </ul>
    </div>
  )
}
