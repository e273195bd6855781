import type { IncomingMessage } from 'node:http'

/** Bounds the memory of the bodies of the requests that are not answered yet. */
export interface BodyBudget {
  /**
   * Returns a function that the caller must call once, after the answer. Returns null if the body
   * has no room.
   */
  enter(request: Pick<IncomingMessage, 'headers'>): (() => void) | null
}

/**
 * Creates a budget of `totalBytesMax` bytes. A body counts with its declared length, but at most
 * with `bodyBytesMax`, because no more of it is read. A body without a declared length counts with
 * `bodyBytesMax`.
 */
export function createBodyBudget({
  totalBytesMax,
  bodyBytesMax,
}: {
  totalBytesMax: number
  bodyBytesMax: number
}): BodyBudget {
  let used = 0
  return {
    enter: ({ headers }) => {
      const declared = headers['content-length']
      const length = declared === undefined ? bodyBytesMax : Number.parseInt(declared, 10)
      const bytes = Math.min(length, bodyBytesMax)
      if (used + bytes > totalBytesMax) return null
      used += bytes
      return () => {
        used -= bytes
      }
    },
  }
}
