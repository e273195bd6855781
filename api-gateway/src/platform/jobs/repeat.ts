import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isOnlyFurtherLedgers } from '../ledger-client/run-for-each-ledger.ts'

const FAILURE_PAUSE_MS = 1_000
const STALE_AFTER_MS = 60_000

export interface Repeating {
  /**
   * Returns false if no run has succeeded for a minute, except because further ledgers do not
   * answer.
   */
  isHealthy(): boolean
  stopped: Promise<void>
}

/**
 * Calls `run` repeatedly until the signal is aborted. A failure is logged, and the next run follows
 * after a pause.
 */
export function repeat(options: {
  name: string
  pauseMs: number
  signal: AbortSignal
  log: Logger
  run: () => Promise<unknown>
}): Repeating {
  const { name, pauseMs, signal, log, run } = options
  let endedWellAtMs = performance.now()

  async function runLoop(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = pauseMs
      try {
        await run()
        endedWellAtMs = performance.now()
      } catch (error) {
        if (signal.aborted) return
        if (isOnlyFurtherLedgers(error)) endedWellAtMs = performance.now()
        log.warn({ err: error, loop: name }, 'run failed, retrying in a second')
        waitMs = FAILURE_PAUSE_MS
      }
      // An abort also ends the pause. The loop then ends.
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    isHealthy: () => performance.now() - endedWellAtMs < STALE_AFTER_MS,
    stopped: runLoop(),
  }
}
