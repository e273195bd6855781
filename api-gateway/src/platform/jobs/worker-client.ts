import { RetryResponse, WorkerReport } from '@cairn/ledger-contracts'

const TIMEOUT_MS = 5_000

export interface WorkerClient {
  /** Returns the state of the worker; null if it does not answer. */
  report(): Promise<WorkerReport | null>
  /**
   * Retries the failed jobs of a queue and returns their number. Null if the worker does not answer
   * or has no such queue.
   */
  retry(queue: string): Promise<number | null>
}

/**
 * Creates a client that calls the worker over HTTP, because only the database role of the worker
 * can use the job tables.
 */
export function createWorkerClient({ url, token }: { url: string; token: string }): WorkerClient {
  async function callWorker(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      // A redirect is refused, because only the worker at the configured address may get the
      // credential.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return response.json()
  }

  return {
    report: async () => {
      const answer = await callWorker('/v1/jobs').catch(() => null)
      return answer === null ? null : WorkerReport.parse(answer)
    },
    retry: async (queue) => {
      const answer = await callWorker('/v1/jobs/retry', { queue }).catch(() => null)
      return answer === null ? null : RetryResponse.parse(answer).retried
    },
  }
}
