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

/** States whether the site states the claim. Shows nothing until the claims have loaded. */
export function ClaimChip({ claim }: { claim: Claim['key'] }) {
  const claims = useQuery(publicClaimQueries.listClaims()).data
  const found = claims?.find(({ key }) => key === claim)
  return found === undefined ? null : <OfferChip isOffered={found.state !== 'withheld'} />
}
