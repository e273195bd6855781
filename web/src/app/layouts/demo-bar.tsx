import { FlaskConical } from 'lucide-react'

import { cx } from '../../shared/ui/cx.ts'

/**
 * Marks the site as a demo. On public pages the bar is at the bottom, because it appears after the
 * settings have loaded and must not move the text.
 */
export function DemoBar({ className }: { className?: string }) {
  return (
    <aside
      aria-label="Demo"
      className={cx(
        'flex items-center justify-center gap-2 bg-info-soft px-5 py-1.5 text-center text-12 text-info',
        className,
      )}
    >
      <FlaskConical aria-hidden="true" className="size-3.5 shrink-0" />
      <span>
        <strong className="font-semibold">Demo data.</strong> The people, plans and money are
        fictional.
      </span>
    </aside>
  )
}
