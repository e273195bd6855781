import { Skeleton } from './skeleton.tsx'

/** The placeholder of a figure that is loading or that failed to load. */
export function FigurePlaceholder({
  hasFailed,
  className,
}: {
  hasFailed: boolean
  className: string
}) {
  if (!hasFailed) return <Skeleton className={className} />
  return (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">Unknown</span>
    </span>
  )
}
