export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-card bg-accent px-4 py-2 font-medium text-14 text-on-accent focus-visible:translate-y-0"
    >
      Skip to content
    </a>
  )
}
