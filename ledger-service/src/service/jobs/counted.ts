import { jobFailures } from '../metrics/metrics.ts'

/** The same run, its failures counted. */
export function counted(queue: string, run: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await run()
    } catch (error) {
      jobFailures.inc({ queue })
      throw error
    }
  }
}
