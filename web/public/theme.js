// This script runs before the first paint, so that a dark page does not start white.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('cairn.theme')
  } catch {
    // Storage may be unavailable. The system's theme is then used.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
