import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { currentRequestId } from '../http/request-scope.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { createPlainFetch } from './plain-fetch.ts'

/**
 * Deadline of a call in milliseconds: a page must report an unavailable ledger within five seconds.
 */
const ANSWER_MS = 4_200

/**
 * A client of the ledger for the gateway's processes. With several instances it uses one that
 * answers.
 */
export function connectLedger(options: {
  urls: readonly string[]
  ledger: number
  token: string
}): LedgerClient {
  const { urls, ledger, token } = options
  const [url] = urls
  if (url === undefined) throw new Error('The ledger has no address')
  return createLedgerClient({
    url,
    ledger,
    token,
    requestId: currentRequestId,
    timeoutMs: ANSWER_MS,
    fetch: createPatientFetch(createPlainFetch(), urls),
  })
}
