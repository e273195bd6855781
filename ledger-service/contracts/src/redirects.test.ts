import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedgerClient } from './client.ts'
import { LedgerUnreachable } from './client-failures.ts'

const TOKEN = 'a credential for tests'
const reached: string[] = []
let elsewhere: Server
let ledger: Server

async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A server that listens on TCP has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let url: string
beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('{}')
  })
  const target = await listen(elsewhere)
  ledger = createServer((request, response) => {
    response.writeHead(307, { location: target + request.url }).end()
  })
  url = await listen(ledger)
})
afterAll(() => {
  ledger.close()
  elsewhere.close()
})

test('a client of the ledger follows no redirect', async () => {
  const asking = createLedgerClient({ url, token: TOKEN }).ask('head', { size: null })
  await expect(asking).rejects.toThrow(LedgerUnreachable)
  expect(reached).toEqual([])
})

test('sabotaged twin: the built-in fetch with its defaults calls the other address', async () => {
  const client = createLedgerClient({ url, token: TOKEN, fetch: globalThis.fetch })
  await client.ask('head', { size: null }).catch(() => {})
  expect(reached).toHaveLength(1)
})
