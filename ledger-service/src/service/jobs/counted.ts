import { jobFailures } from '../metrics/metrics.ts'

/** Wraps a job so that its failures are counted. */
export function countFailures(queue: string, run: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await run()
    } catch (error) {
      jobFailures.inc({ queue })
      throw error
    }
  }
}
