import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Link } from '../../shared/url/navigation.tsx'

type StateLinkProps = {
  to: string
  icon: LucideIcon
  color: string
  words: string
  className: string
  children: ReactNode
}

/**
 * Names a state beside its icon, with the times of it below. The underlined name links to the page
 * with the details.
 */
export function StateLink({ to, icon: Icon, color, words, className, children }: StateLinkProps) {
  return (
    <Link
      to={to}
      className={joinClasses(
        'inline-flex items-center gap-2.5 rounded-card px-2 text-14 hover:bg-sunken',
        className,
      )}
    >
      <Icon aria-hidden="true" className={joinClasses('size-5 shrink-0', color)} />
      <span className="grid min-w-0">
        <span className="truncate font-medium underline decoration-line-strong underline-offset-2">
          {words}
        </span>
        <span className="tabular text-12 text-muted">{children}</span>
      </span>
    </Link>
  )
}

/** The padding aligns it with the icon of the link and with the cards below. */
export function StatePlaceholder({ className }: { className: string }) {
  return (
    <div className={joinClasses('px-2', className)}>
      <Skeleton className="h-full w-full" />
    </div>
  )
}
