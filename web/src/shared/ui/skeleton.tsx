import { joinClasses } from './join-classes.ts'

/** A placeholder of the same size as the value, so that the layout does not shift. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={joinClasses(
        'inline-block max-w-full animate-pulse-soft rounded-sm bg-line align-middle',
        className,
      )}
    />
  )
}
