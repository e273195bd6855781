import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority, issueCertificate } from '../certificates/issue.ts'
import { ROOT } from '../environment.ts'

const PROGRAM = join(ROOT, 'service-kit', 'src', 'check-health.ts')

let folder: string
const servers: { close(): unknown }[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-health-'))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server that answers with this status; returns its port. */
async function startServer(status: number, tls?: { cert: string; key: string }): Promise<string> {
  const answer = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
    response.writeHead(status).end()
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe because the server listens on a port.
  return String((server.address() as AddressInfo).port)
}

async function check(env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

async function createPair(name: string): Promise<{ cert: string; key: string; file: string }> {
  const wanted = { names: [name], nowMs: Date.now() }
  const pair = await issueCertificate(await createAuthority(wanted), wanted)
  const file = join(folder, `${name}.crt`)
  await writeFile(file, pair.cert)
  return { ...pair, file }
}

test.each(['PORT', 'LEDGER_PORT', 'WORKER_PORT'])('a server on %s is healthy', async (name) => {
  expect(await check({ [name]: await startServer(200) })).toBe(0)
})

test('a server that does not work, and a port without a server, are not healthy', async () => {
  const port = await startServer(503)
  expect(await check({ PORT: port })).toBe(1)
  servers.pop()?.close()
  expect(await check({ PORT: port })).toBe(1)
})

test('a server with its own certificate is healthy, one with another is not', async () => {
  const [own, other] = [await createPair('ledger'), await createPair('other')]
  const port = await startServer(200, own)
  expect(await check({ LEDGER_PORT: port, TLS_CERT_FILE: own.file })).toBe(0)
  expect(await check({ LEDGER_PORT: port, TLS_CERT_FILE: other.file })).toBe(1)
  expect(await check({ LEDGER_PORT: port })).toBe(1)
})
