import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const FAILURE_PAUSE_MS = 1_000
const STALE_AFTER_MS = 60_000

export interface Repeating {
  /** False when it has not ended well for a minute. */
  isHealthy(): boolean
  stopped: Promise<void>
}

/** Runs again and again until the signal; a failure is logged and tried again after a pause. */
export function repeat(options: {
  name: string
  pauseMs: number
  signal: AbortSignal
  log: Logger
  run: () => Promise<unknown>
}): Repeating {
  const { name, pauseMs, signal, log, run } = options
  let endedWellAtMs = performance.now()

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = pauseMs
      try {
        await run()
        endedWellAtMs = performance.now()
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, loop: name }, 'tried again in a second')
        waitMs = FAILURE_PAUSE_MS
      }
      // An abort ends the pause as well; the loop's condition sees it.
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    isHealthy: () => performance.now() - endedWellAtMs < STALE_AFTER_MS,
    stopped: loop(),
  }
}
