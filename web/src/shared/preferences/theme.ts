import { createStoredChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

/** `public/theme.js` reads the same key before the app starts. */
export const themeChoice = createStoredChoice<Theme>(
  'cairn.theme',
  ['system', 'light', 'dark'],
  'system',
)

/** Applies the chosen theme, or the theme of the system if no theme is chosen. */
export function followTheme(): void {
  const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const choice = themeChoice.get()
    const isDark = choice === 'dark' || (choice === 'system' && systemIsDark.matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }
  themeChoice.subscribe(apply)
  systemIsDark.addEventListener('change', apply)
  apply()
}
