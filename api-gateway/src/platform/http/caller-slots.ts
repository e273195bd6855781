import { createTooManyRequestsFailure } from './failure.ts'

const RETRY_AFTER_SECONDS = 1

/** Bounds the number of requests of one caller that run at the same time in this process. */
export interface CallerSlots {
  /**
   * Returns a function that the caller must call once, when the request has ended. Throws 429 if
   * all slots of `who` are in use.
   */
  enter(who: string): () => void
}

export function createCallerSlots(max: number): CallerSlots {
  const running = new Map<string, number>()
  return {
    enter: (who) => {
      const count = running.get(who) ?? 0
      if (count >= max) throw createTooManyRequestsFailure(RETRY_AFTER_SECONDS)
      running.set(who, count + 1)
      return () => {
        const left = (running.get(who) ?? 0) - 1
        if (left > 0) running.set(who, left)
        else running.delete(who)
      }
    },
  }
}
