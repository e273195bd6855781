import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { createCertificateGauge } from '@cairn/service-kit/certificate-gauge'
import { readAuthorities, readServerTls } from '@cairn/service-kit/service-tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CERTIFICATE_DAYS, createAuthority, issueCertificate } from './issue.ts'
import { renewCertificates } from './renew.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 10, 25)
const servers = ['postgres', 'ledger-service']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-certificates-'))
})
afterEach(() => rm(folder, { recursive: true }))

const renewAfter = (days: number, names = servers) =>
  renewCertificates({ folder, servers: names, nowMs: NOW_MS + days * DAY_MS })
const getPath = (server: string, file: string) => join(folder, server, file)
const getTlsFiles = (server: string) => ({
  TLS_CERT_FILE: getPath(server, 'tls.crt'),
  TLS_KEY_FILE: getPath(server, 'tls.key'),
})

test('the first run issues everything, the second nothing', async () => {
  expect(await renewAfter(0)).toEqual(['authority', ...servers])
  const authority = await readFile(getPath('authority', 'ca.crt'), 'utf8')
  for (const place of ['public', ...servers]) {
    expect(await readFile(getPath(place, 'ca.crt'), 'utf8')).toBe(authority)
  }
  for (const server of servers) {
    expect(readServerTls(getTlsFiles(server))).not.toBeNull()
    expect((await stat(getPath(server, 'tls.key'))).mode & 0o777).toBe(0o600)
  }
  expect((await stat(getPath('authority', 'ca.key'))).mode & 0o777).toBe(0o600)
  expect(readAuthorities(getPath('public', 'ca.crt'))).toEqual([authority.trim()])
  expect(await renewAfter(1)).toEqual([])
})

test('a server measures the time until its certificate expires', async () => {
  await renewAfter(0)
  const tls = readServerTls(getTlsFiles('ledger-service'))
  const readDays = async (days: number) =>
    Number(await createCertificateGauge(tls, () => NOW_MS + days * DAY_MS)?.read()) / 86_400
  expect(await readDays(0)).toBe(CERTIFICATE_DAYS)
  expect(await readDays(CERTIFICATE_DAYS + 1)).toBe(-1)
  expect(createCertificateGauge(null)).toBeNull()
})

test('certificates are renewed with a year left, and the authority before they could outlive it', async () => {
  await renewAfter(0)
  expect(await renewAfter(364)).toEqual([])
  expect(await renewAfter(366)).toEqual(servers)
  expect(await renewAfter(2_900)).toEqual(servers)
  expect(await renewAfter(2_921)).toEqual(['authority', ...servers])
})

test('a certificate that is damaged, missing or of another authority is issued again', async () => {
  await renewAfter(0)
  await writeFile(getPath('postgres', 'tls.crt'), 'half a certif')
  expect(await renewAfter(1)).toEqual(['postgres'])
  await rm(getPath('ledger-service', 'tls.key'))
  expect(await renewAfter(1)).toEqual(['ledger-service'])
  await cp(getPath('postgres', 'tls.key'), getPath('ledger-service', 'tls.key'))
  expect(await renewAfter(1)).toEqual(['ledger-service'])
  for (const file of ['tls.crt', 'tls.key']) {
    await cp(getPath('postgres', file), getPath('ledger-service', file))
  }
  expect(await renewAfter(1)).toEqual(['ledger-service'])
  await rm(join(folder, 'authority'), { recursive: true })
  expect(await renewAfter(1)).toEqual(['authority', ...servers])
})

test('a new server needs an authority that may certify its name', async () => {
  await renewAfter(0)
  expect(await renewAfter(1, [...servers, 'gateway-worker'])).toEqual([
    'authority',
    ...servers,
    'gateway-worker',
  ])
})

test('a server refuses the key of another one, and a client a file without certificates', async () => {
  await renewAfter(0)
  const { TLS_KEY_FILE } = getTlsFiles('postgres')
  expect(() => readServerTls({ ...getTlsFiles('ledger-service'), TLS_KEY_FILE })).toThrow(
    'must be a certificate and its key',
  )
  expect(() => readAuthorities(TLS_KEY_FILE)).toThrow('which contains no certificates in PEM')
})

/** Connects to a server with a certificate for `name`; returns the error, or null. */
async function connectTo(name: string, authority: { cert: string; key: string }) {
  const pair = await issueCertificate(authority, { names: [name], nowMs: Date.now() })
  const server = tls.createServer(pair, (socket) => socket.on('error', () => {}).resume())
  server.on('tlsClientError', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const ended = Promise.withResolvers<string | null>()
  const socket = tls.connect({ port, host: '127.0.0.1', servername: name, ca: authority.cert })
  socket.once('secureConnect', () => ended.resolve(null))
  socket.once('error', (error) => ended.resolve(error.message))
  const outcome = await ended.promise
  socket.destroy()
  server.close()
  return outcome
}

test('an authority cannot certify other names; sabotaged twin: one without limits can', async () => {
  const limited = await createAuthority({ names: ['postgres'], nowMs: Date.now() })
  expect(await connectTo('postgres', limited)).toBeNull()
  expect(await connectTo('smtp.example', limited)).toMatch(/permitted subtree violation/)
  const wide = await createAuthority({ names: ['example'], nowMs: Date.now() })
  expect(await connectTo('smtp.example', wide)).toBeNull()
})
