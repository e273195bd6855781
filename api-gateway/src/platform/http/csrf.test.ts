import { expect, test } from 'vitest'
import { requireSameSite } from './csrf.ts'

const publicOrigin = 'http://localhost:8080'
const checkSite = (host: string, origin: string, site = 'same-origin') =>
  requireSameSite({ host, origin, 'sec-fetch-site': site }, { publicOrigin })

test('pages and calls work at PUBLIC_URL and at the loopback address', () => {
  expect(() => checkSite('localhost:8080', 'http://localhost:8080')).not.toThrow()
  expect(() => checkSite('127.0.0.1:8080', 'http://127.0.0.1:8080')).not.toThrow()
})

test('a page at one of these addresses may call neither the other address nor another port', () => {
  const crossSite = 'Requests from other sites are not accepted'
  const elsewhere = ['http://localhost:9090', 'http://127.0.0.1:9090', 'http://evil.test']
  for (const origin of elsewhere) {
    expect(() => checkSite('localhost:8080', origin)).toThrow(crossSite)
    expect(() => checkSite('127.0.0.1:8080', origin)).toThrow(crossSite)
  }
  expect(() => checkSite('127.0.0.1:8080', publicOrigin, 'cross-site')).toThrow(crossSite)
})
