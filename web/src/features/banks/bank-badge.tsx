import { CircleCheck, Hourglass, MailQuestionMark } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'
import type { BankAccount } from './queries.ts'

export function BankBadge({ status }: { status: BankAccount['status'] }) {
  switch (status) {
    case 'unconfirmed':
      return <Badge tone="pending" icon={MailQuestionMark} word="Not confirmed" />
    case 'cooling':
      return <Badge tone="info" icon={Hourglass} word="Waiting period" />
    case 'usable':
      return <Badge tone="success" icon={CircleCheck} word="Active" />
    case 'archived':
      return null
  }
}
