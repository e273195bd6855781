import type { IncomingMessage } from 'node:http'

/** The maximum total size of the bodies of all requests that are not answered yet. */
const BODIES_BYTES_MAX = 64 * 1024 * 1024
const RETRY_AFTER_SECONDS = 1

/** Thrown if a request was refused for lack of room. Nothing was done. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/**
 * The answer is 429 and not 503, because callers repeat a call that was answered with 503 at once.
 * These repetitions would keep the service overloaded.
 */
export function createOverloadedReply() {
  const message = 'The ledger is busy; try again in a second'
  return {
    status: 429,
    body: { message },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  }
}

/**
 * Bounds the memory of the requests that are not answered yet. A body without a declared length
 * counts as a body of `bodyBytesMax`.
 */
export function createBodyBudget(bodyBytesMax: number): {
  /**
   * Throws `Overloaded` if the body has no room. The caller must call the returned function once,
   * after the answer.
   */
  enter(request: Pick<IncomingMessage, 'method' | 'headers'>): () => void
} {
  let used = 0
  return {
    enter: ({ method, headers }) => {
      const declared = headers['content-length']
      const length = declared === undefined ? bodyBytesMax : Number.parseInt(declared, 10)
      const bytes = method === 'POST' ? Math.min(length, bodyBytesMax) : 0
      if (used + bytes > BODIES_BYTES_MAX) throw new Overloaded()
      used += bytes
      return () => {
        used -= bytes
      }
    },
  }
}
