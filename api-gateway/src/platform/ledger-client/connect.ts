import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createCallTracer } from '@cairn/service-kit/tracing/ledger-calls'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import { getCurrentRequestId } from '../http/request-scope.ts'
import { createNodeFetch } from './node-fetch.ts'
import { createRetryingFetch } from './retrying-fetch.ts'

/**
 * Deadline of a call in milliseconds. A page must report an unavailable ledger within five seconds.
 */
const DEADLINE_MS = 4_200

/**
 * Creates the ledger client of the gateway's processes. If the ledger has several instances, the
 * client uses an instance that answers.
 */
export function connectLedger(options: {
  urls: readonly string[]
  ledger: number
  token: string
  /** Starts the spans of calls. By default, the calls have no spans. */
  tracer?: Tracer | null
}): LedgerClient {
  const { urls, ledger, token, tracer = null } = options
  const [url] = urls
  if (url === undefined) throw new Error('Set LEDGER_URL: it contains no address')
  return createLedgerClient({
    url,
    ledger,
    token,
    requestId: getCurrentRequestId,
    timeoutMs: DEADLINE_MS,
    fetch: createRetryingFetch(createNodeFetch(), urls),
    joinsCommands: true,
    ...(tracer === null ? {} : { trace: createCallTracer(tracer) }),
  })
}
