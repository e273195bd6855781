import { Agent, request } from 'node:http'
import type { LedgerFetch } from '@cairn/ledger-contracts'

const CONNECTIONS_MAX = 64

/**
 * What the ledger's client needs of `fetch`, on plain node:http: between two processes of one
 * machine the real one costs as much as the ledger's whole answer.
 */
export function createPlainFetch(): LedgerFetch {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, scheduling: 'lifo' })
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = { method, agent, signal, headers: { ...headers, ...length } }
      const sending = request(url, options, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const status = answer.statusCode ?? 0
          const text = Buffer.concat(chunks).toString('utf8')
          const json = async (): Promise<unknown> => JSON.parse(text)
          resolve({ ok: status >= 200 && status < 300, status, json })
        })
      })
      sending.once('error', reject)
      sending.end(body)
    })
}
