import 'react'

declare module 'react' {
  interface CSSProperties {
    /** The place of a step in a proof, from which its animation delay is computed. */
    '--place'?: number
  }
}
