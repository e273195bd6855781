import { FlaskConical } from 'lucide-react'

export function DemoBar() {
  return (
    <aside
      aria-label="Demo"
      className="flex items-center justify-center gap-2 bg-info-soft px-5 py-1.5 text-center text-12 text-info"
    >
      <FlaskConical aria-hidden="true" className="size-3.5 shrink-0" />
      <span>
        <strong className="font-semibold">Demo data.</strong> The people, the plans and the money
        here are made up.
      </span>
    </aside>
  )
}
