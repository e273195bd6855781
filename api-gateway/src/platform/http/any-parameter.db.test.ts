import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Scene, startScene } from '../../../testing/scene.ts'
import { send } from '../../../testing/test-gateway.ts'
import type { Route } from './registry.ts'

const AN_ID = '0123456789abcdefghjk'
/** Days and instants at the ends of what a database, or a text of four digits, can hold. */
const DATES = [
  '0000-01-01',
  '0000-12-31T23:59:59Z',
  '0001-01-01',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31',
  '9999-12-31T23:59:59-12:00',
]

/** Texts that patterns, PostgreSQL or the ledger may not take, as parts of a URL. */
const TEXTS = [
  ...[
    '\0',
    'a\0b',
    '\u0007',
    'é',
    '\u{1f600}',
    "'",
    '\\',
    '%',
    '_',
    '__proto__',
    'a\nb',
    'x'.repeat(300),
  ],
  ...['-1', '1e3', '00', '9'.repeat(18), '9'.repeat(40), 'a~b', 'null', '[]', '{}', '.', '..'],
].map(encodeURIComponent)
// The bytes of a surrogate, a byte that begins no character, and no text at all.
const BYTES = ['%ED%A0%80', '%FF', '']

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const isRead = ({ endpoint: { method, answers, isUnsafeGet } }: Route) =>
  method === 'GET' && answers !== 'stream' && !isUnsafeGet

function listNames({ endpoint }: Route, part: 'params' | 'query'): readonly string[] {
  // The cast is safe because both parts of a request are objects.
  const parts = endpoint.request.shape as Record<string, z.ZodObject | undefined>
  return Object.keys(parts[part]?.shape ?? {})
}

/** Fills the path of the route. The other parameters than `name` have values that can exist. */
function fillPath({ endpoint }: Route, name: string, text: string): string {
  const known: Record<string, string> = { seq: '0', account: 'reserve', option: 'treasury' }
  return endpoint.path.replace(/:(\w+)/g, (_part, each: string) =>
    each === name ? text : (known[each] ?? AN_ID),
  )
}

/**
 * Sends each text as each parameter of each read. Returns the status and the path of each call that
 * is answered with a fault of the server.
 */
async function findFaults(texts: readonly string[]): Promise<string[]> {
  const { gateway, admin, investor } = scene
  const faults: string[] = []
  for (const route of gateway.routes.filter(isRead)) {
    const isOwn = route.endpoint.access === 'user' || route.endpoint.access === 'investor'
    const visitor = isOwn ? investor : admin
    const paths = texts.flatMap((text) => [
      ...listNames(route, 'params').map((name) => fillPath(route, name, text)),
      ...listNames(route, 'query').map((name) => `${fillPath(route, '', '')}?${name}=${text}`),
    ])
    const replies = await Promise.all(
      paths.map((path) => send(gateway, visitor, { method: 'GET', path })),
    )
    for (const [place, { status }] of replies.entries()) {
      if (status >= 500) faults.push(`${status} ${paths[place]}`)
    }
  }
  return faults
}

test('no day and no instant in a parameter makes a fault of the server', async () => {
  expect(await findFaults(DATES.map(encodeURIComponent))).toEqual([])
})

test('no text in a parameter makes a fault of the server', async () => {
  expect(await findFaults([...TEXTS, ...BYTES])).toEqual([])
})
