import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleMinus } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'

/** States whether something is part of the service. */
export function OfferChip({
  isOffered,
  words = isOffered ? 'Offered' : 'Not offered',
}: {
  isOffered: boolean
  words?: string
}) {
  return (
    <Badge
      tone={isOffered ? 'success' : 'neutral'}
      icon={isOffered ? CircleCheck : CircleMinus}
      word={words}
    />
  )
}

/** Says that the site does not make the claim. Shows nothing while the site makes it. */
export function NotClaimedChip({ claim }: { claim: Claim['key'] }) {
  const claims = useQuery(publicClaimQueries.listClaims()).data
  const isWithheld = claims?.some(({ key, state }) => key === claim && state === 'withheld')
  return isWithheld === true ? <OfferChip isOffered={false} words="Not claimed" /> : null
}

/** States whether the site states the claim. Shows nothing until the claims have loaded. */
export function ClaimChip({ claim }: { claim: Claim['key'] }) {
  const claims = useQuery(publicClaimQueries.listClaims()).data
  const found = claims?.find(({ key }) => key === claim)
  return found === undefined ? null : <OfferChip isOffered={found.state !== 'withheld'} />
}
