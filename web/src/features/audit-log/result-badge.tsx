import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'

import { Badge } from '../../shared/ui/badge.tsx'

const SUCCESS = { tone: 'success', icon: CircleCheck, word: 'Done' } as const
const UNKNOWN = { tone: 'pending', icon: TriangleAlert, word: 'No result recorded' } as const

/** Shows the result of an audited action. For a refused action, shows the code of the refusal. */
export function ResultBadge({ result }: { result: string }) {
  if (result === 'success') return <Badge {...SUCCESS} />
  if (result === 'attempted') return <Badge {...UNKNOWN} />
  const words = result.toLowerCase().replaceAll('_', ' ')
  return <Badge tone="declined" icon={CircleX} word={`Refused: ${words}`} />
}
