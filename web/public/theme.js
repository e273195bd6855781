// Runs before the first paint, so a dark screen never flashes white.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('cairn.theme')
  } catch {
    // Storage may be closed to us; the system's choice stands.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
