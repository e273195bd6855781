import { readFileSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get as getEncrypted } from 'node:https'

// The health check of the images. Asks the server of this container, whose environment names its
// port and certificate. Ends with 0 if the server works, and else with 1.

const TIMEOUT_MS = 4_000

const { PORT, LEDGER_PORT, WORKER_PORT, TLS_CERT_FILE = '' } = process.env
const port = PORT ?? LEDGER_PORT ?? WORKER_PORT

const status = await askHealth().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return null
})
process.exit(status === 200 ? 0 : 1)

function askHealth(): Promise<number | undefined> {
  const options = { host: '127.0.0.1', port, path: '/healthz', timeout: TIMEOUT_MS, agent: false }
  return new Promise((resolve, reject) => {
    const asking =
      TLS_CERT_FILE === ''
        ? getPlain(options)
        : // Accepts the server's own certificate only, which contains no IP address.
          getEncrypted({
            ...options,
            ca: readFileSync(TLS_CERT_FILE),
            allowPartialTrustChain: true,
            checkServerIdentity: () => undefined,
          })
    asking.once('response', (response) => resolve(response.statusCode))
    asking.once('timeout', () => asking.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)))
    asking.once('error', reject)
  })
}
