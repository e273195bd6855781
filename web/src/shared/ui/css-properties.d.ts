import 'react'

declare module 'react' {
  interface CSSProperties {
    /**
     * The position of a step in a proof. The animation delay of the step is computed from this
     * position.
     */
    '--place'?: number
    /** The widths of the filters beside a search. */
    '--filters'?: string
  }
}
