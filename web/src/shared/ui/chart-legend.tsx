import { joinClasses } from './join-classes.ts'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

type Swatch = 'solid' | 'dotted' | 'hatched' | 'dashed' | 'dashedSlate' | 'dashedAmber'

const SWATCHES: Record<Swatch, string> = {
  solid: 'part-1',
  dotted: 'part-2',
  hatched: 'part-out',
  dashed: 'dashes text-accent',
  dashedSlate: 'dashes text-info',
  dashedAmber: 'dashes text-pending',
}

/** The pattern and the name of a series. A button beside the name explains the term. */
type Series = readonly [swatch: Swatch, name: string, term?: TermName]

/**
 * Shows the names of the series of a chart. Each series has its own pattern, so the reader does not
 * need the colours.
 */
export function ChartLegend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-muted">
      {series.map(([swatch, name, term]) => (
        <li key={name} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className={joinClasses(
              swatch.startsWith('dashed') ? 'h-0.5 w-5' : 'h-3 w-4 rounded-sm',
              SWATCHES[swatch],
            )}
          />
          <span className="flex items-center gap-0.5">
            {name}
            {term !== undefined && <TermInfo term={term} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
