import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../raw-request.ts'
import {
  addUser,
  openVisit,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../test-gateway.ts'

const UP = [
  '..',
  '%2e%2e',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '%252e%252e',
  '....//',
  '..;',
  '%c0%ae%c0%ae',
  '..%00',
]
const TARGETS = [
  'etc/passwd',
  'package.json',
  '.data/secrets/session',
  'src/serve.ts',
  '.git/config',
]
const BASES = ['/', '/assets/', '/api/v1/transactions/', '/api/v1/users/']
const PATHS = BASES.flatMap((base) =>
  UP.flatMap((step) => TARGETS.map((target) => `${base}${`${step}/`.repeat(4)}${target}`)),
)

const folder = mkdtempSync(join(tmpdir(), 'cairn-site-'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Cairn</title>')
writeFileSync(join(folder, 'app.html'), '<!doctype html><title>Cairn</title>')
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the paths that were answered neither with a page of the site nor with a refusal. */
async function findLeaks(url: string, cookie: string): Promise<readonly string[]> {
  const open: string[] = []
  for (const path of PATHS) {
    const { statuses, text } = await sendRaw(
      url,
      `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`,
    )
    const isLeaked = /root:x:0|"dependencies"|createGateway|\[core\]/.test(text)
    const [status = 0] = statuses
    // A path of the web app is answered with the page of the web app.
    const isPage = status === 200 && text.includes('<title>Cairn</title>')
    if (isLeaked || (!isPage && ![400, 401, 404].includes(status))) open.push(`${path} ${status}`)
  }
  return open
}

describe('T32 paths that lead elsewhere', () => {
  let gateway: TestGateway
  let visitor: Visitor
  beforeAll(async () => {
    gateway = await startTestGateway({ webDist: folder })
    visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
  })
  afterAll(() => gateway?.stop())

  test('find nothing for any visitor', async () => {
    expect(PATHS.length).toBeGreaterThanOrEqual(60)
    expect(await findLeaks(gateway.url, visitor.cookie)).toEqual([])
    expect(await findLeaks(gateway.url, '')).toEqual([])
  })
})

describe('T32 its sabotaged twin, which opens whatever a path names', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      try {
        response.end(readFileSync(join(folder, decodeURIComponent(request.url ?? ''))))
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  test('is caught', async () => {
    // The cast is safe because a server that listens on TCP has such an address.
    const { port } = server.address() as AddressInfo
    const open = await findLeaks(`http://127.0.0.1:${port}`, '')
    expect(open.filter((line) => line.includes('etc/passwd')).length).toBeGreaterThan(1)
  })
})
