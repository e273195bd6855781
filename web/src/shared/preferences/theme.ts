import { storedChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The key is also read by `public/theme.js`, before anything else runs. */
export const themeChoice = storedChoice<Theme>('cairn.theme', ['system', 'light', 'dark'], 'system')

/** Keeps the page on the chosen theme, and on the system's while none is chosen. */
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
