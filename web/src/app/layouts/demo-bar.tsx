import { FlaskConical } from 'lucide-react'

import { joinClasses } from '../../shared/ui/join-classes.ts'

/**
 * Marks the site as a demo. The bar appears only after the settings have loaded. It is at the
 * bottom of the window, so that it does not move the content.
 */
export function DemoBar({ className }: { className: string }) {
  return (
    <aside
      aria-label="Demo"
      className={joinClasses(
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
