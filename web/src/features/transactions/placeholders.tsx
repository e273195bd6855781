import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { PlaceholderLine, TwoLinePlaceholder } from '../../shared/ui/table-skeleton.tsx'

/** The placeholder of a cell with the mark of the type, a title and a second line. */
export function TypePlaceholder() {
  return (
    <span className="flex items-center gap-3">
      <Skeleton className="size-8 shrink-0 rounded-full!" />
      <TwoLinePlaceholder widths={['w-47.5', 'w-24']} />
    </span>
  )
}

/** The placeholder of an approved transaction on narrow screens. */
export function NarrowTransactionPlaceholder() {
  return (
    <div className="grid gap-2">
      <span className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-3">
          <Skeleton className="size-8 shrink-0 rounded-full!" />
          <TwoLinePlaceholder widths={['w-28', 'w-20']} />
        </span>
        <Skeleton className="h-3.5 w-20" />
      </span>
      <PlaceholderLine widths={['w-32', 'w-24']} className="h-6" />
      <PlaceholderLine widths={['w-20', 'w-36']} className="h-4" />
    </div>
  )
}
