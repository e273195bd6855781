import { CircleCheck, CircleX, Clock, TrendingUp } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'

/** Active and completed are both green, so the icon and the word tell them apart. */
export function InvestmentBadge({ status }: { status: string }) {
  switch (status) {
    case 'active':
      return <Badge tone="success" icon={TrendingUp} word="Active" />
    case 'completed':
      return <Badge tone="success" icon={CircleCheck} word="Completed" />
    case 'denied':
      return <Badge tone="declined" icon={CircleX} word="Denied" />
    default:
      return <Badge tone="declined" icon={Clock} word="Pending" />
  }
}
