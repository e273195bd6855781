import { CircleCheck, CircleMinus } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'

/** Says whether something is part of the service. */
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
