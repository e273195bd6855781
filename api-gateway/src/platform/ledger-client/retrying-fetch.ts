import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionRefused, type LedgerFetch } from '@cairn/ledger-contracts'

const PAUSE_MS = 100
const UNAVAILABLE = 503

type Init = Parameters<LedgerFetch>[1]

/**
 * Returns a `fetch` that repeats a failed call until the deadline of the call, at each address in
 * turn. A restart of the ledger therefore only delays the call. A command is repeated only if it
 * has an idempotency key or was certainly not executed.
 */
export function createRetryingFetch(fetch: LedgerFetch, urls: readonly string[]): LedgerFetch {
  let place = 0

  return async (url, init) => {
    for (;;) {
      const tried = place
      const target = new URL(url.pathname + url.search, urls[tried])
      const answer = await fetch(target, init).catch((error: unknown) => {
        if (place === tried) place = (tried + 1) % urls.length
        if (init.signal.aborted || !(isConnectionRefused(error) || isRepeatable(url, init)))
          throw error
        return null
      })
      if (answer !== null) {
        if (answer.status !== UNAVAILABLE) return answer
        if (!((await isNotExecuted(answer)) || isRepeatable(url, init))) return answer
        if (place === tried) place = (tried + 1) % urls.length
      }
      await delay(PAUSE_MS, undefined, { signal: init.signal })
    }
  }
}

async function isNotExecuted(answer: { json(): Promise<unknown> }): Promise<boolean> {
  const body = await answer.json()
  return (
    typeof body === 'object' && body !== null && 'isNothingDone' in body && !!body.isNothingDone
  )
}

function isRepeatable({ pathname }: URL, { method, body }: Init): boolean {
  if (method === 'GET' || pathname.startsWith('/v1/queries/')) return true
  if (pathname !== '/v1/commands' || body === undefined) return false
  // The cast is safe because the ledger client has created this body.
  const { commands } = JSON.parse(body) as { commands: readonly { key: string | null }[] }
  return commands.every(({ key }) => key !== null)
}
