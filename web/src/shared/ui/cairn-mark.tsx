import { useSite } from '../site/site.ts'
import { joinClasses } from './join-classes.ts'

/** The logo: three stacked stones. */
export function CairnMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={joinClasses('size-7', className)} aria-hidden="true">
      <ellipse
        cx="16.6"
        cy="7.6"
        rx="5"
        ry="3.5"
        transform="rotate(6 16.6 7.6)"
        className="fill-[var(--stone-3)]"
      />
      <ellipse
        cx="15.2"
        cy="15.9"
        rx="8.4"
        ry="3.8"
        transform="rotate(-4 15.2 15.9)"
        className="fill-[var(--stone-2)]"
      />
      <ellipse cx="16" cy="24.9" rx="12.2" ry="4.3" className="fill-[var(--stone-1)]" />
    </svg>
  )
}

/** The logo and the name of the site. */
export function Wordmark({ className }: { className?: string }) {
  const { name } = useSite()
  return (
    <span className={joinClasses('inline-flex min-w-0 items-center gap-2', className)}>
      <CairnMark className="size-7 shrink-0" />
      <span className="truncate font-semibold font-serif text-20 tracking-tight">{name}</span>
    </span>
  )
}
