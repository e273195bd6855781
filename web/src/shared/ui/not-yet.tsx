import { Skeleton } from './skeleton.tsx'

/** In the place of a figure that is not there: still to come, or not known because asking failed. */
export function NotYet({ hasFailed, className }: { hasFailed: boolean; className: string }) {
  if (!hasFailed) return <Skeleton className={className} />
  return (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">Not known</span>
    </span>
  )
}
