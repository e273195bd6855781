// Runs before the first paint, so that a dark page is never white.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('cairn.theme')
  } catch {
    // Without storage, the theme of the system is used.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
