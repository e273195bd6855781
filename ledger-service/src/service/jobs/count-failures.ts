import type { Logger } from 'pino'
import { jobFailures } from '../metrics/metrics.ts'

/**
 * Wraps a job so that its failures are counted and logged. The queue stores the error only in the
 * database, where an operator does not look.
 */
export function countFailures(
  { queue, log }: { queue: string; log: Logger },
  run: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    try {
      await run()
    } catch (error) {
      jobFailures.inc({ queue })
      log.warn({ err: error, queue }, 'job failed, will be retried')
      throw error
    }
  }
}
