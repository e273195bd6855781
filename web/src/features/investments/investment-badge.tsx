import { CircleCheck, CircleX, Clock, TrendingUp } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'

/** `active` and `completed` are both green; the icon and the word distinguish them. */
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
