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
