// This script runs before the first paint, so that a page with the dark theme does not appear white
// at first.
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
