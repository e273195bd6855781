import { cx } from './cx.ts'

/** Stands where a value will stand, in its size, so that nothing jumps when it comes. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block max-w-full animate-pulse-soft rounded-sm bg-line align-middle',
        className,
      )}
    />
  )
}
