import type { Claim } from '../claims/index.ts'

/**
 * Lists the claims that the site does not make, each with the true statement and the missing
 * evidence.
 */
export function NotClaimed({ claims }: { claims: readonly Claim[] }) {
  const withheld = claims.filter(({ state }) => state === 'withheld')
  if (withheld.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold text-20">What we don’t claim</h3>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <div
          aria-hidden="true"
          className="hidden grid-cols-[3fr_4fr_5fr] gap-6 bg-sunken px-5 py-2.5 font-medium text-12 text-muted md:grid"
        >
          <span>Not claimed</span>
          <span>What is true here</span>
          <span>Evidence that the claim needs</span>
        </div>
        <ul className="divide-y divide-line text-14">
          {withheld.map((claim) => (
            <Row key={claim.key} claim={claim} />
          ))}
        </ul>
      </div>
    </div>
  )
}

function Row({ claim: { wording, text, evidence, rule } }: { claim: Claim }) {
  return (
    <li className="grid gap-x-6 gap-y-2 px-5 py-3 md:grid-cols-[3fr_4fr_5fr]">
      <p>
        <span className="text-muted md:sr-only">Not claimed: </span>
        <span className="font-medium">{wording}</span>
      </p>
      <div className="grid content-start gap-0.5">
        <p>{text === '' ? 'Not offered' : text}</p>
        {evidence.map(({ label, value }) => (
          <p key={label} className="text-12 text-muted">
            {label}: {value}
          </p>
        ))}
      </div>
      <p className="text-muted">
        <span className="md:sr-only">Needs: </span>
        {rule}
      </p>
    </li>
  )
}
