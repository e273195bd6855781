import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSecurityHeaders } from './security-headers.ts'
import { createStaticFiles } from './static-files.ts'

let folder: string
let server: Server
let url: string
let siteName = async () => 'Cairn'
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-static-'))
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, 'users'))
  writeFileSync(join(folder, 'app.html'), '<!doctype html><title>Cairn</title>')
  writeFileSync(join(folder, 'index.html'), '<!doctype html><h1>Landing</h1>')
  writeFileSync(join(folder, 'users/login.html'), '<!doctype html><h1>Login</h1>')
  writeFileSync(
    join(folder, 'about_us.html'),
    '<head><title>Cairn</title></head><body><p>Cairn</p><noscript>Cairn asks</noscript></body>',
  )
  writeFileSync(
    join(folder, 'manifest.webmanifest'),
    JSON.stringify({ name: 'Cairn', short_name: 'Cairn', start_url: '/manage' }),
  )
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'const a = 1')
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync('const a = 1'))
  const app = new Koa()
  app.use(createSecurityHeaders({ isSecure: true }))
  app.use(createStaticFiles(folder, () => siteName()))
  const { promise, resolve } = Promise.withResolvers<void>()
  server = createServer(app.callback()).listen(0, '127.0.0.1', resolve)
  await promise
  // The cast is safe because a server that listens on TCP has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('the site', () => {
  test.each([
    ['/', 'Landing'],
    ['/users/login', 'Login'],
    ['/users/register', '<title>Cairn</title>'],
    ['/manage/admin/users', '<title>Cairn</title>'],
  ])('serves %s prerendered or as the empty page, and forbids caching', async (path, content) => {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(content)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  test('sends hashed assets compressed and immutable', async () => {
    const response = await fetch(`${url}/assets/app-1a2b.js`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(await response.text()).toBe('const a = 1')
  })

  test('serves only built files, and no file outside its folder', async () => {
    for (const path of [
      '/assets/missing.js',
      '/..%2f..%2fetc/passwd.txt',
      '/assets/app-1a2b.js.gz',
    ]) {
      expect((await fetch(url + path)).status).toBe(404)
    }
  })

  test('has the name that the operator chose in the head of a page and in the manifest', async () => {
    siteName = async () => '<Acme> & $1'
    onTestFinished(() => {
      siteName = async () => 'Cairn'
    })
    const page = await fetch(`${url}/about_us`)
    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toBe(
      '<head><title>&lt;Acme&gt; &amp; $1</title></head>' +
        '<body><p>Cairn</p><noscript>&lt;Acme&gt; &amp; $1 asks</noscript></body>',
    )
    const plain = await fetch(`${url}/manifest.webmanifest`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.json()).toEqual({
      name: '<Acme> & $1',
      short_name: '<Acme> & $1',
      start_url: '/manage',
    })
  })

  test('allows no inline script and no frame around it', async () => {
    const { headers } = await fetch(url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })
})
