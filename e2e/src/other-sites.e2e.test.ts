import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addInvestor, signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'

const BANK = 'bankName=Evil&accountNumber=1&accountName=Mallory&accountType=Others'
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

useSharedSite()
let context: BrowserContext
const servers: Server[] = []
beforeAll(async () => {
  context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, platform, await addInvestor(platform, { balance: 0 }))
  await page.close()
})
afterAll(async () => {
  for (const server of servers) server.close()
  await context.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  // The cast is safe because a server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port
}

/**
 * Opens an attacker's page that sends forms and requests to the target and loads an image from the
 * target. Returns the data that the page could read.
 */
async function attackFrom(origin: string, target: string): Promise<readonly string[]> {
  const page = await context.newPage()
  await page.goto(origin)
  const read = await page.evaluate(
    async ({ target, types, bank }) => {
      const tries: Promise<string>[] = []
      const sendRequest = (name: string, path: string, init: RequestInit) => {
        const asked = fetch(`${target}/api/v1/${path}`, { credentials: 'include', ...init })
        const said = asked.then(
          (response) => (response.type === 'opaque' ? '' : `${name} read ${response.status}`),
          () => '',
        )
        tries.push(said)
      }
      for (const type of types) {
        // Each form is sent in its own frame, so that the page itself does not navigate.
        const frame = document.createElement('iframe')
        frame.name = `frame of ${type}`
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, {
          method: 'post',
          enctype: type,
          target: frame.name,
          action: `${target}/api/v1/users/me/banks`,
        })
        for (const [name, value] of new URLSearchParams(bank)) {
          const input = document.createElement('input')
          Object.assign(input, { type: 'hidden', name, value })
          form.append(input)
        }
        document.body.append(form)
        tries.push(
          new Promise((resolve) => {
            frame.addEventListener('load', () => resolve(''))
            form.submit()
            setTimeout(() => resolve(''), 60_000)
          }),
        )
        const headers = { 'content-type': type }
        sendRequest(type, 'users/me/banks', {
          method: 'POST',
          mode: 'no-cors',
          headers,
          body: bank,
        })
      }
      const json = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }
      sendRequest('json', 'users/me/banks', { method: 'POST', headers: json, body: '{}' })
      sendRequest('me', 'users/me', {})
      sendRequest('logout', 'users/logout', { mode: 'no-cors' })
      sendRequest('logout', 'users/logout', { method: 'POST', mode: 'no-cors' })
      sendRequest('preferences', 'users/me/preferences', {
        method: 'PUT',
        headers: json,
        body: '{}',
      })
      const picture = new Image()
      picture.src = `${target}/api/v1/users/logout`
      return (await Promise.all(tries)).filter((said) => said !== '')
    },
    { target, types: FORM_TYPES, bank: BANK },
  )
  await page.close()
  return read
}

async function startOrigin(host: string): Promise<string> {
  const answerWithPage = (_: unknown, response: { end(text: string): void }) =>
    response.end('<!doctype html><title>Another site</title><body></body>')
  return `http://${host}:${await listen(createServer(answerWithPage))}/`
}

/** Reads the name and the bank accounts of the user whom the page attacks. */
async function readOwnData(): Promise<{ name: string; banks: readonly string[] }> {
  const page = await context.newPage()
  await page.goto(`${platform.url}/healthz`)
  const own = await page.evaluate(async () => {
    const fetchJson = async (path: string) => (await fetch(`/api/v1/${path}`)).json()
    const [me, banks] = [await fetchJson('users/me'), await fetchJson('users/me/banks')]
    return {
      name: me.data?.user.name ?? '',
      banks: (banks.data?.accounts ?? []).map((account: { bankName: string }) => account.bankName),
    }
  })
  await page.close()
  return own
}

// A page at a second port of the host has its own origin but belongs to the same site, so the
// browser sends the cookie.
test.each(['localhost', '127.0.0.1'])(
  'T23 in a browser: a page on another port of %s changes and reads nothing',
  async (host) => {
    const before = await readOwnData()
    expect(before.name).not.toBe('')
    expect(await attackFrom(await startOrigin(host), platform.url)).toEqual([])
    expect(await readOwnData()).toEqual(before)
  },
)

test('T23 in a browser, its sabotaged twin: a server that checks only the cookie accepts them', async () => {
  const accepted: string[] = []
  const naive = createServer((request, response) => {
    const hasCookie = /\bsid=/.test(request.headers.cookie ?? '')
    if (hasCookie && request.method === 'POST') accepted.push(request.headers['content-type'] ?? '')
    response.end('{}')
  })
  const target = `http://127.0.0.1:${await listen(naive)}`
  await attackFrom(await startOrigin('127.0.0.1'), target)
  for (const type of FORM_TYPES) {
    // The form sends one request, and `fetch` sends one request.
    expect(accepted.filter((sent) => sent.startsWith(type))).toHaveLength(2)
  }
})
