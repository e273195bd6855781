import { CircleCheck, CircleDashed } from 'lucide-react'

import { toMinor } from '../../shared/money/money.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import type { BankLine } from './queries.ts'

/** Shows whether a line is matched to a ledger movement, and whether the amounts agree. */
export function LineBadge({ line }: { line: BankLine }) {
  if (line.match === null) return <Badge tone="pending" icon={CircleDashed} word="Not matched" />
  const word = toMinor(line.match.difference) === 0n ? 'Matched' : 'Matched, differs'
  return <Badge tone="success" icon={CircleCheck} word={word} />
}
