import { Agent, request } from 'node:http'
import type { LedgerFetch } from '@cairn/ledger-contracts'

/** Creates a minimal HTTP client that needs little time compared with the service. */
export function createPlainFetch(): LedgerFetch {
  const agent = new Agent({ keepAlive: true })
  return (url, { method, headers, body = '', signal }) =>
    new Promise((resolve, reject) => {
      const sent = { ...headers, 'content-length': Buffer.byteLength(body) }
      const sending = request(url, { method, agent, signal, headers: sent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const status = answer.statusCode ?? 0
          const parseBody = async (): Promise<unknown> =>
            JSON.parse(Buffer.concat(chunks).toString())
          resolve({ ok: status >= 200 && status < 300, status, json: parseBody })
        })
      })
      sending.once('error', reject)
      sending.end(body)
    })
}
