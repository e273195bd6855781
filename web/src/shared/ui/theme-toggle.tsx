import { Monitor, Moon, Sun } from 'lucide-react'

import { useStoredChoice } from '../preferences/stored-choice.ts'
import { type Theme, themeChoice } from '../preferences/theme.ts'
import { IconButton } from './button.tsx'

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const ICONS = { system: Monitor, light: Sun, dark: Moon }
const NAMES: Record<Theme, string> = { system: 'the system’s', light: 'light', dark: 'dark' }

export function ThemeToggle() {
  const theme = useStoredChoice(themeChoice)
  const Icon = ICONS[theme]
  return (
    <IconButton
      label={`Theme: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}`}
      onClick={() => themeChoice.set(NEXT[theme])}
    >
      <Icon aria-hidden="true" className="size-5" />
    </IconButton>
  )
}
