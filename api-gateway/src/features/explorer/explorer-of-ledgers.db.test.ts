import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  addUserOfSecondLedger,
  fund,
  startGatewayOfTwoLedgers,
} from '../../../testing/further-ledger.ts'
import { expectOk } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  send,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

const BASE = 2_000_000_000_000n
let gateway: TestGateway
let admin: Visitor
let west: Visitor
let fundingId: string

beforeAll(async () => {
  gateway = await startGatewayOfTwoLedgers()
  admin = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  const east = await addUser(gateway, { role: 'user', status: 'active' })
  west = await openVisit(gateway, await addUserOfSecondLedger(gateway))
  await fund(gateway.otherLedger(1), { investorId: east, amountMinor: 5_000n })
  fundingId = await fund(gateway.otherLedger(2), { investorId: west.userId, amountMinor: 7_000n })
  for (const ledger of [1, 2]) {
    // A checkpoint is signed within a second.
    await vi.waitFor(async () => {
      const { checkpoint } = await gateway.otherLedger(ledger).ask('checkpoint', {})
      expect(checkpoint?.size).toBe(2n)
    }, PATIENCE_MS)
  }
})
afterAll(() => gateway?.stop())

const get = <Data>(path: string, visitor: Visitor | null = admin) =>
  expectOk<Data>(send(gateway, visitor, { method: 'GET', path }))

describe('a ledger of the site', () => {
  test('has its own events, with numbers of the site', async () => {
    const { events, meta } = await get<{ events: { seq: string }[]; meta: { size: string } }>(
      '/admin/ledger/events?ledger=2',
    )
    expect(events.map(({ seq }) => seq)).toEqual([String(BASE + 1n), String(BASE)])
    expect(meta.size).toBe('2')
    const older = await get<{ events: { seq: string }[] }>(
      `/admin/ledger/events?ledger=2&before=${BASE + 1n}`,
    )
    expect(older.events.map(({ seq }) => seq)).toEqual([String(BASE)])
    const own = await get<{ events: { seq: string }[] }>(`/admin/ledger/events?user=${west.userId}`)
    expect(own.events[0]?.seq).toBe(String(BASE + 1n))
  })

  test('has its own accounts and trial balance', async () => {
    const { accounts } = await get<{ accounts: { account: string; balance: number }[] }>(
      '/admin/ledger/accounts?ledger=2&prefix=investor',
    )
    const code = `investor:${west.userId}:balance`
    expect(accounts).toEqual([expect.objectContaining({ account: code, balance: 70 })])
    // A search that names a person finds the accounts in the ledger of this person.
    for (const prefix of [west.userId, `investor:${west.userId}`]) {
      const found = await get<{ accounts: object[] }>(`/admin/ledger/accounts?prefix=${prefix}`)
      expect(found.accounts).toEqual(accounts)
    }
    const elsewhere = `/admin/ledger/accounts?ledger=1&prefix=${west.userId}`
    expect((await get<{ accounts: object[] }>(elsewhere)).accounts).toEqual([])
    const { lines } = await get<{ lines: { seq: string }[] }>(`/admin/ledger/accounts/${code}`)
    expect(lines.map(({ seq }) => seq)).toEqual([String(BASE + 1n)])
    const operator = await get<{ balance: number }>('/admin/ledger/accounts/adjustments?ledger=2')
    expect(operator.balance).toBe(-70)
    const { seq, sum } = await get<{ seq: string; sum: number }>(
      '/admin/ledger/trial-balance?ledger=2',
    )
    expect([seq, sum]).toEqual([String(BASE + 1n), 0])
  })

  test('has its own checkpoints, keys and proofs', async () => {
    const { checkpoints, verifierKeys } = await get<{
      checkpoints: { size: string; note: string }[]
      verifierKeys: string[]
    }>('/admin/ledger/checkpoints?ledger=2')
    expect(checkpoints[0]?.note).toContain('/ledger/2')
    const path = '/admin/ledger/consistency?ledger=2&from=1&to=2'
    expect(await get(path)).toMatchObject({ from: { size: '1' }, to: { size: '2' } })
    const key = await get<{ verifierKeys: string[]; ledgers: number[] }>(
      '/public/log-key?ledger=2',
      null,
    )
    expect(key.verifierKeys).toEqual(verifierKeys)
    expect(key.ledgers).toEqual([1, 2])
    const { checkpoint } = await get<{ checkpoint: { note: string } }>(
      '/public/checkpoint?ledger=2',
      null,
    )
    expect(checkpoint.note).toContain('/ledger/2')
  })

  test('signs the receipts of its people, which verify with its keys and with no others', async () => {
    const proof = await get<{ seq: string; receipt: string; verifierKeys: string[] }>(
      `/transactions/${fundingId}/proof`,
      west,
    )
    expect(proof.seq).toBe(String(BASE + 1n))
    const verified = await verifyReceipt(proof.receipt, openKeys(proof.verifierKeys))
    expect(verified.index).toBe(1n)
    const { verifierKeys } = await get<{ verifierKeys: string[] }>('/public/log-key', null)
    await expect(verifyReceipt(proof.receipt, openKeys(verifierKeys))).rejects.toThrow()
    const { event } = await get<{ event: { seq: string } }>(`/admin/ledger/events/${BASE + 1n}`)
    expect(event.seq).toBe(String(BASE + 1n))
  })

  test('is verified and exported', async () => {
    const started = await expectOk<{ verification: { id: string } }>(
      send(gateway, admin, {
        method: 'POST',
        path: '/admin/ledger/verifications',
        body: { ledger: 2 },
      }),
    )
    const list = async () => {
      const path = '/admin/ledger/verifications?ledger=2'
      return (await get<{ verifications: { id: string; state: string }[] }>(path)).verifications
    }
    await expect.poll(async () => (await list())[0]?.state).toBe('agrees')
    expect((await list())[0]?.id).toBe(started.verification.id)
    const first = await get<{ verifications: unknown[] }>('/admin/ledger/verifications')
    expect(first.verifications).toEqual([])
    // The public result is that of all ledgers, and the first one has none yet.
    const shown = await get<{ verification: unknown }>('/public/verification', null)
    expect(shown.verification).toBeNull()
    const response = await fetch(`${gateway.url}/api/v1/admin/ledger/export?ledger=2`, {
      headers: { cookie: admin.cookie },
    })
    expect(response.headers.get('content-disposition')).toContain('ledger-2')
    expect((await response.text()).trim().split('\n')).toHaveLength(3)
  })
})

test.each([
  '/admin/ledger/events?ledger=3',
  '/admin/ledger/accounts?ledger=3',
  '/admin/ledger/accounts/reserve?ledger=3',
  '/admin/ledger/trial-balance?ledger=3',
  '/admin/ledger/checkpoints?ledger=3',
  '/admin/ledger/consistency?ledger=3&from=1&to=2',
  '/admin/ledger/verifications?ledger=3',
  '/admin/ledger/export?ledger=3',
  '/public/checkpoint?ledger=3',
  '/public/log-key?ledger=3',
])('a ledger that the site does not have is refused: %s', async (path) => {
  const { status, body } = await send(gateway, admin, { method: 'GET', path })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'INVALID', message: 'This site has no ledger 3' })
})

test('the event of a ledger that the site does not have is not found', async () => {
  const path = '/admin/ledger/events/5000000000000'
  expect((await send(gateway, admin, { method: 'GET', path })).status).toBe(404)
})

test('the coverage is that of each ledger, and its sums', async () => {
  const { coverage } = await get<{ coverage: { liabilities: number; ledgers: object[] } }>(
    '/public/coverage',
    null,
  )
  expect(coverage.liabilities).toBe(120)
  expect(coverage.ledgers).toMatchObject([
    { ledger: 1, events: 2, liabilities: 50 },
    { ledger: 2, events: 2, liabilities: 70 },
  ])
  const { reserve } = await get<{ reserve: { liabilities: number; ledgers: object[] } }>(
    '/admin/reserve',
  )
  expect(reserve.liabilities).toBe(120)
  expect(reserve.ledgers).toHaveLength(2)
  const { settings } = await get<{ settings: { ledgers: number[] } }>('/public/settings', null)
  expect(settings.ledgers).toEqual([1, 2])
})
