import type { UserStatus } from '@cairn/gateway-contracts'
import { Ban, CircleCheck, CirclePause, Clock } from 'lucide-react'

import { Badge } from './badge.tsx'

const MARKS = {
  pending: { tone: 'pending', icon: Clock, word: 'Pending' },
  active: { tone: 'success', icon: CircleCheck, word: 'Active' },
  deactivated: { tone: 'neutral', icon: CirclePause, word: 'Deactivated' },
  denied: { tone: 'declined', icon: Ban, word: 'Denied' },
} as const

export function UserBadge({ status }: { status: UserStatus }) {
  return <Badge {...MARKS[status]} />
}
