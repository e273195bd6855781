import type { Claim } from '../claims/index.ts'

/**
 * Lists the claims that the site does not make. Each claim has the true statement and the missing
 * evidence. The text is smaller than the text of the claims that the site makes.
 */
export function NotClaimed({ claims }: { claims: readonly Claim[] }) {
  const withheld = claims.filter(({ state }) => state === 'withheld')
  if (withheld.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold text-16">What we don’t claim, and the evidence it needs</h3>
      <ul className="grid gap-x-8 gap-y-4 text-12 sm:grid-cols-2 lg:grid-cols-3">
        {withheld.map(({ key, wording, text, evidence, rule }) => (
          <li key={key} className="grid content-start gap-1 border-line border-t pt-3">
            <p className="text-14">
              <span className="sr-only">Not claimed: </span>
              {wording}
            </p>
            <p>
              {text === '' ? 'Not offered' : text}
              {evidence.map(({ label, value }) => ` · ${label}: ${value}`)}
            </p>
            <p className="text-muted">Needs: {rule}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
