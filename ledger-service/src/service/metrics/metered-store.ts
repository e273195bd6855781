import { type Written, wrapSessions } from '../../log/store.ts'
import { batchEvents, commitSeconds } from './metrics.ts'

const OUTCOMES: Readonly<Record<Written | 'failed', true>> = {
  written: true,
  fenced: true,
  clock: true,
  conflict: true,
  failed: true,
}

// A series that begins with its first failure has no increase, so no alert would show this failure.
for (const outcome of Object.keys(OUTCOMES)) commitSeconds.zero({ outcome })

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
