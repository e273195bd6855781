import http from 'node:http'
import https from 'node:https'
import {
  ANSWER_DIGEST_HEADER,
  formatAnswerToHash,
  formatCallToHash,
  type LedgerFetch,
} from '@cairn/ledger-contracts'
import { hashToBase64url } from '@cairn/service-kit/hash-text'

const CONNECTIONS_MAX = 64

/**
 * Creates the part of `fetch` that the ledger client needs, based on node:http and node:https. The
 * built-in `fetch` would double the time of a call between processes on one machine. A response
 * without the correct digest is an error.
 */
export function createNodeFetch(): LedgerFetch {
  const kept = { keepAlive: true, maxSockets: CONNECTIONS_MAX, scheduling: 'lifo' } as const
  const plain = { request: http.request, agent: new http.Agent(kept) }
  const encrypted = { request: https.request, agent: new https.Agent(kept) }
  return (url, { method, headers, body = '', signal }) =>
    new Promise((resolve, reject) => {
      const callDigest = hashToBase64url(
        formatCallToHash({ method, path: url.pathname + url.search, body }),
      )
      const sent = {
        ...headers,
        authorization: `${headers.authorization}.${callDigest}`,
        'content-length': Buffer.byteLength(body),
      }
      const { request, agent } = url.protocol === 'https:' ? encrypted : plain
      const sending = request(url, { method, agent, signal, headers: sent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const status = answer.statusCode ?? 0
          const text = Buffer.concat(chunks).toString('utf8')
          const digest = hashToBase64url(formatAnswerToHash({ callDigest, status, body: text }))
          if (answer.headers[ANSWER_DIGEST_HEADER] !== digest) {
            return reject(
              new Error(`the answer ${status} is damaged or does not come from the ledger`),
            )
          }
          const parseText = async (): Promise<unknown> => JSON.parse(text)
          resolve({ ok: status >= 200 && status < 300, status, json: parseText })
        })
      })
      sending.once('error', reject)
      sending.end(body)
    })
}
