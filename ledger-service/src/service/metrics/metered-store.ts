import { wrapSessions } from '../../log/store.ts'
import { batchEvents, commitSeconds } from './metrics.ts'

/** Wraps a store so that its commits are counted and timed. */
export const createMeteredStore = wrapSessions((session) => ({
  ...session,
  append: async (move, rows) => {
    const stop = commitSeconds.startTimer()
    try {
      const outcome = await session.append(move, rows)
      stop({ outcome })
      if (outcome === 'written') batchEvents.observe(Number(move.size - move.fromSize))
      return outcome
    } catch (error) {
      stop({ outcome: 'failed' })
      throw error
    }
  },
}))
