import { Eye, EyeOff } from 'lucide-react'

import { amountsChoice, useAmountsHidden } from '../preferences/hidden-amounts.ts'
import { IconButton } from './button.tsx'

export function EyeToggle() {
  const isHidden = useAmountsHidden()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <IconButton
      label={isHidden ? 'Show all figures' : 'Hide all figures'}
      aria-pressed={isHidden}
      onClick={() => amountsChoice.set(isHidden ? 'shown' : 'hidden')}
    >
      <Icon aria-hidden="true" className="size-5" />
    </IconButton>
  )
}
