import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { currentRequestId } from '../http/request-scope.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { createPlainFetch } from './plain-fetch.ts'

/** Whoever waits for a page hears within five seconds that the ledger does not answer. */
const ANSWER_MS = 4_200

/** The ledger as the gateway's processes reach it; of several instances whichever answers. */
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
