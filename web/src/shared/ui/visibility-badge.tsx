import { Eye, EyeOff } from 'lucide-react'

import { Badge } from './badge.tsx'

export function VisibilityBadge({ isShown }: { isShown: boolean }) {
  return isShown ? (
    <Badge tone="success" icon={Eye} word="Visible" />
  ) : (
    <Badge tone="neutral" icon={EyeOff} word="Hidden" />
  )
}
