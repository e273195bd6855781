import { CairnMark } from '../shared/ui/cairn-mark.tsx'

/** Shown only while the chunk of the first page loads. */
export function RouteLoading() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center">
      <CairnMark className="size-10 animate-pulse-soft" />
      <span className="sr-only">Loading</span>
    </div>
  )
}
