import { CircleCheck, CircleDashed } from 'lucide-react'

import { toMinor } from '../../shared/money/money.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import type { BankLine } from './queries.ts'

/** Whether a line has its movement in the books, and whether they agree. */
export function LineBadge({ line }: { line: BankLine }) {
  if (line.match === null) return <Badge tone="pending" icon={CircleDashed} word="Not matched" />
  const word = toMinor(line.match.difference) === 0n ? 'Matched' : 'Matched, differs'
  return <Badge tone="success" icon={CircleCheck} word={word} />
}
