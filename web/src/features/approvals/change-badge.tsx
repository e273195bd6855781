import { Ban, CircleCheck, CircleX, Clock, Hourglass, Undo2 } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'
import type { ChangeState } from '../changes/index.ts'
import { STATE_LABELS } from './change-labels.ts'

const LOOKS = {
  pending: { tone: 'pending', icon: Clock },
  approved: { tone: 'info', icon: Hourglass },
  executed: { tone: 'success', icon: CircleCheck },
  failed: { tone: 'declined', icon: CircleX },
  rejected: { tone: 'declined', icon: Ban },
  withdrawn: { tone: 'neutral', icon: Undo2 },
  expired: { tone: 'neutral', icon: Hourglass },
} as const

export function ChangeBadge({ state }: { state: ChangeState }) {
  return <Badge {...LOOKS[state]} word={STATE_LABELS[state]} />
}
