import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { openCheckpoint, openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addApprover } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { toHttpFailure } from '../../platform/http/failure.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createChartFollower } from '../charts/follower.ts'
import { createNotificationFollower } from '../notifications/follower.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function downloadText(path: string): Promise<string> {
  const response = await fetch(`${scene.gateway.url}/api/v1${path}`, {
    headers: { cookie: scene.admin.cookie },
  })
  return await response.text()
}

describe('the log', () => {
  test('is read by administrators, event by event, with its proof', async () => {
    const { events, meta } = await expectOk<{
      events: { seq: string; leafHash: string }[]
      meta: { size: string }
    }>(
      scene.call(
        scene.admin,
        'GET',
        `/admin/ledger/events?user=${scene.investor.userId}&type=DepositApproved`,
      ),
    )
    expect(events).toHaveLength(1)
    expect(Number(meta.size)).toBeGreaterThan(5)
    const [newest] = events
    const { bytes, event } = await expectOk<{ bytes: string; event: { leafHash: string } }>(
      scene.call(scene.admin, 'GET', `/admin/ledger/events/${newest?.seq}`),
    )
    const leaf = createHash('sha256')
      .update(Buffer.from([0]))
      .update(bytes)
      .digest('hex')
    expect(event.leafHash).toBe(leaf)
    expect((await scene.call(scene.admin, 'GET', '/admin/ledger/events/999999')).status).toBe(404)
  })

  test('states the durability of answered commands', async () => {
    expect(await expectOk(scene.call(scene.admin, 'GET', '/admin/ledger/durability'))).toEqual({
      required: 'local',
      now: 'local',
    })
  })

  test('accounts, statement, balance at a time and trial balance agree', async () => {
    const account = `investor:${scene.investor.userId}:balance`
    const { accounts } = await expectOk<{ accounts: { balance: number }[] }>(
      scene.call(scene.admin, 'GET', `/admin/ledger/accounts?prefix=${account}`),
    )
    const statement = await expectOk(
      scene.call(scene.admin, 'GET', `/admin/ledger/accounts/${account}?at=2020-01-01T00:00:00Z`),
    )
    expect(statement).toMatchObject({ balance: accounts[0]?.balance, past: { balance: 0 } })
    expect(
      await expectOk(scene.call(scene.admin, 'GET', '/admin/ledger/trial-balance')),
    ).toMatchObject({
      sum: 0,
    })
    expect((await scene.call(scene.admin, 'GET', '/admin/ledger/accounts/nothing')).status).toBe(
      404,
    )
  })

  test.each([
    'events?externalId=%C3%A9',
    `events?actor=user:${'x'.repeat(80)}`,
    `events?reference=${encodeURIComponent('ß'.repeat(70))}`,
    'accounts?after=',
    'accounts?after=%00',
  ])('refuses %s, which the ledger does not accept', async (search) => {
    const reply = await scene.call(scene.admin, 'GET', `/admin/ledger/${search}`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID' } })
  })

  test('says that a query was refused, and not that the ledger is unreachable', async () => {
    const query = { prefix: '', after: '', limit: 1 }
    const error = await scene.gateway.deps.ledger.ask('accounts', query).catch((thrown) => thrown)
    expect(toHttpFailure(error)).toMatchObject({
      status: 500,
      code: 'INTERNAL',
      message: 'The ledger does not accept a query of this server',
    })
  })

  test('the accounts of a person are found by the id of the person, and exported', async () => {
    const { userId } = scene.investor
    const { accounts } = await expectOk<{ accounts: { account: string; person: object }[] }>(
      scene.call(scene.admin, 'GET', `/admin/ledger/accounts?prefix=${userId}`),
    )
    expect(accounts.map(({ account }) => account)).toEqual([
      `investor:${userId}:balance`,
      `investor:${userId}:principal`,
    ])
    expect(accounts[0]?.person).toMatchObject({ id: userId })
    const file = await fetch(
      `${scene.gateway.url}/api/v1/admin/ledger/accounts.csv?prefix=${userId}`,
      { headers: { cookie: scene.admin.cookie } },
    )
    expect((await file.text()).trim().split('\n')).toHaveLength(3)
    const { accounts: none } = await expectOk<{ accounts: object[] }>(
      scene.call(scene.admin, 'GET', `/admin/ledger/accounts?prefix=${scene.depositId}`),
    )
    expect(none).toEqual([])
  })

  test('shows linked events, what another system knows, and balances at effective times', async () => {
    const envelope = {
      actor: `admin:${scene.admin.userId}`,
      key: null,
      requestId: null,
      effectiveAt: '2020-02-02T00:00:00.000Z',
      externalId: 'INV 2026/17',
      metadata: { order: '17' },
    }
    const fund = (transactionId: string) => ({
      type: 'FundReserve' as const,
      data: { transactionId, amountMinor: 700n, note: null },
      ...envelope,
    })
    const reserve = () =>
      expectOk<{ balance: number; effective: { balance: number } | null }>(
        scene.call(
          scene.admin,
          'GET',
          '/admin/ledger/accounts/reserve?effectiveAt=2020-03-01T00:00:00Z',
        ),
      )
    const before = await reserve()
    const ids = [createId(Date.now()), createId(Date.now())]
    await scene.gateway.ledger.submitLinked(ids.map(fund), 'interactive')
    const { events } = await expectOk<{ events: object[] }>(
      scene.call(scene.admin, 'GET', '/admin/ledger/events?externalId=INV%202026%2F17'),
    )
    expect(events).toMatchObject([
      { linked: { index: 1, length: 2 }, externalId: 'INV 2026/17', metadata: { order: '17' } },
      { linked: { index: 0, length: 2 }, externalId: 'INV 2026/17' },
    ])
    const after = await reserve()
    expect(after.balance - before.balance).toBeCloseTo(14)
    expect((after.effective?.balance ?? 0) - (before.effective?.balance ?? 0)).toBeCloseTo(14)
    expect(
      await expectOk(
        scene.call(
          scene.admin,
          'GET',
          '/admin/ledger/accounts/reserve?effectiveAt=2020-01-01T00:00:00Z',
        ),
      ),
    ).toMatchObject({ effective: { balance: 0 } })
  })

  test('names the approver that an event is about', async () => {
    await addApprover(scene.gateway, scene.admin.userId)
    const path = '/admin/ledger/events?type=ApproverAdded'
    expect(await expectOk(scene.call(scene.admin, 'GET', path))).toMatchObject({
      events: [{ actor: 'system:server', subject: { id: scene.admin.userId } }],
    })
  })

  test('shows amounts of another asset with its decimals, apart from the currency', async () => {
    const movement = { asset: 'BTC/8', from: 'cash:wallet', to: 'reserve', note: null } as const
    const envelope = {
      actor: `admin:${scene.admin.userId}`,
      key: null,
      requestId: null,
      effectiveAt: null,
    }
    const data = { ...movement, amountMinor: 12_345n }
    const { outcome } = await scene.gateway.ledger.submit({ type: 'MoveAsset', data, ...envelope })
    expect(outcome).toBe('recorded')
    const path = `/admin/ledger/accounts/${encodeURIComponent('reserve@BTC/8')}`
    expect(await expectOk(scene.call(scene.admin, 'GET', path))).toMatchObject({
      balance: 0.000_123_45,
      lines: [{ type: 'AssetMoved', amount: 0.000_123_45 }],
    })
    const statement = await downloadText(`${path}/statement.csv`)
    expect(statement).toMatch(/^reserve@BTC\/8,.*,0\.00012345,0\.00012345/m)
    const events = await downloadText('/admin/ledger/events.csv?type=AssetMoved')
    expect(events).toContain('cash:wallet@BTC/8 -0.00012345; reserve@BTC/8 0.00012345')
    const { rows, sum } = await expectOk<{ rows: { kind: string; asset?: string }[]; sum: number }>(
      scene.call(scene.admin, 'GET', '/admin/ledger/trial-balance'),
    )
    expect(sum).toBe(0)
    expect(rows.slice(-2)).toEqual([
      { kind: 'cash', asset: 'BTC/8', balance: -0.000_123_45 },
      { kind: 'reserve', asset: 'BTC/8', balance: 0.000_123_45 },
    ])
    expect(rows.filter(({ kind }) => kind === 'reserve')).toHaveLength(2)
  })

  test('checkpoints are signed and public, and each log begins with the log of the previous checkpoint', async () => {
    // The answer to this request contains a receipt. A receipt needs a checkpoint, so the ledger
    // signs a checkpoint.
    await expectOk(scene.call(scene.admin, 'GET', '/admin/ledger/events/0'))
    const { checkpoints } = await expectOk<{ checkpoints: { size: string }[] }>(
      scene.call(scene.admin, 'GET', '/admin/ledger/checkpoints'),
    )
    expect(checkpoints.length).toBeGreaterThan(0)
    const path = `/admin/ledger/consistency?from=1&to=${checkpoints[0]?.size}`
    expect(await expectOk(scene.call(scene.admin, 'GET', path))).toMatchObject({
      from: { size: '1' },
    })
    expect(
      (await scene.call(scene.admin, 'GET', '/admin/ledger/consistency?from=5&to=2')).status,
    ).toBe(400)
    expect(await expectOk(scene.call(null, 'GET', '/public/checkpoint'))).toHaveProperty(
      'checkpoint.note',
    )
    expect(await expectOk(scene.call(null, 'GET', '/public/log-key'))).toHaveProperty(
      'verifierKeys.0',
    )
  })

  test('a visitor can verify the receipt of the newest plan on offer', async () => {
    const { receipt } = await expectOk<{ receipt: string }>(
      scene.call(null, 'GET', '/public/sample-receipt'),
    )
    const { verifierKeys } = await expectOk<{ verifierKeys: string[] }>(
      scene.call(null, 'GET', '/public/log-key'),
    )
    const { event } = await verifyReceipt(receipt, openKeys(verifierKeys))
    const { plans } = await expectOk<{ plans: { id: string }[] }>(scene.call(null, 'GET', '/plans'))
    expect(event.type).toBe('PlanDefined')
    expect(plans.map(({ id }) => id)).toContain((event.data as { planId: string }).planId)
  })
})

const hashLeaf = (line: string) => hash(Buffer.concat([Buffer.from([0]), Buffer.from(line)]))
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Computes a Merkle tree hash as defined in RFC 6962, section 2.1. */
function computeTreeHead(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined || leaves.length === 1) return only ?? hash(Buffer.alloc(0))
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  const [left, right] = [
    computeTreeHead(leaves.slice(0, half)),
    computeTreeHead(leaves.slice(half)),
  ]
  return hash(Buffer.concat([Buffer.from([1]), left, right]))
}

describe('the stored state of followers', () => {
  test('chart balances equal the ledger, and a page that is read again is added only once', async () => {
    const deps = {
      db: scene.gateway.db,
      ledger: scene.gateway.ledger,
      clock: scene.gateway.deps.clock,
      settings: scene.gateway.deps.settings,
    }
    const { signal } = new AbortController()
    await Promise.all([
      followOnce(deps, createChartFollower(), signal),
      followOnce(deps, createChartFollower(), signal),
    ])
    const { points } = await expectOk<{
      points: { available: number; invested: number; paidIn: number }[]
    }>(scene.call(scene.investor, 'GET', '/stats/users/history'))
    const { stats } = await expectOk<{
      stats: { wallet: { balance: number }; invested: number; total_deposit: number }
    }>(scene.call(scene.investor, 'GET', '/stats/users'))
    expect(points.at(-1)).toMatchObject({
      available: stats.wallet.balance,
      invested: stats.invested,
      // The investor has withdrawn nothing.
      paidIn: stats.total_deposit,
    })
    const { coverage } = await expectOk<{
      coverage: object[]
    }>(scene.call(scene.admin, 'GET', '/stats/admin/history'))
    const { reserve } = await expectOk<{ reserve: Record<string, number> }>(
      scene.call(scene.admin, 'GET', '/admin/reserve'),
    )
    const { reserve: set, committed, liabilities } = reserve
    expect(coverage.at(-1)).toMatchObject({ reserve: set, committed, liabilities })
    const due = await expectOk(scene.call(scene.admin, 'GET', '/stats/admin/maturities'))
    expect(due).toMatchObject({ within30Days: { count: 1, principal: 100, profit: 10 } })
  })

  test('a notification is created once and can be marked as read', async () => {
    const deps = {
      db: scene.gateway.db,
      ledger: scene.gateway.ledger,
      clock: scene.gateway.deps.clock,
      settings: scene.gateway.deps.settings,
    }
    await followOnce(deps, createNotificationFollower(deps), new AbortController().signal)
    const path = '/users/me/notifications'
    const { notifications, meta } = await expectOk<{
      notifications: { id: string; title: string }[]
      meta: { unread: number }
    }>(scene.call(scene.investor, 'GET', path))
    expect(notifications.map(({ title }) => title)).toContain('Deposit of $500 approved')
    expect(meta.unread).toBe(notifications.length)
    const read = `${path}/${notifications[0]?.id}/read`
    expect(await expectOk(scene.call(scene.stranger, 'PATCH', read))).toHaveProperty('unread')
    expect(await expectOk(scene.call(scene.investor, 'PATCH', read))).toEqual({
      unread: meta.unread - 1,
    })
    expect(await expectOk(scene.call(scene.investor, 'PATCH', `${path}/read`))).toEqual({
      unread: 0,
    })
    const review = await expectOk<{
      meta: { unread: number }
    }>(scene.call(scene.admin, 'GET', path))
    expect(review.meta.unread).toBeGreaterThan(0)
  })
})

describe('verification', () => {
  const startVerification = () =>
    expectOk(scene.call(scene.admin, 'POST', '/admin/ledger/verifications', {}))
  const waitForVerification = async () => {
    for (;;) {
      const { verifications } = await expectOk<{ verifications: { state: string }[] }>(
        scene.call(scene.admin, 'GET', '/admin/ledger/verifications'),
      )
      const [newest] = verifications
      if (newest !== undefined && newest.state !== 'running') return newest
      await delay(50)
    }
  }

  const readPublicResult = () => expectOk(scene.call(null, 'GET', '/public/verification'))

  test('reads the whole log while the writer runs, and reports no difference', async () => {
    expect(await readPublicResult()).toEqual({ verification: null })
    await startVerification()
    const run = await waitForVerification()
    expect(run).toMatchObject({
      state: 'agrees',
      firstBadSeq: null,
      problems: [],
      person: { id: scene.admin.userId },
    })
    const { startedAt } = run as unknown as { startedAt: string }
    expect(await readPublicResult()).toEqual({ verification: { startedAt, state: 'agrees' } })
  })

  test('the exported log verifies without the database', async () => {
    const response = await fetch(`${scene.gateway.url}/api/v1/admin/ledger/export`, {
      headers: { cookie: scene.admin.cookie },
    })
    const [header = '', ...events] = (await response.text()).trimEnd().split('\n')
    const { checkpoint, verifierKeys } = JSON.parse(header)
    const { size, root } = await openCheckpoint(checkpoint, openKeys(verifierKeys))
    expect(BigInt(events.length)).toBe(size)
    expect(Buffer.from(root)).toEqual(computeTreeHead(events.map(hashLeaf)))
  })

  test('names the event that a superuser has changed', async () => {
    const superuser = new pg.Client({ connectionString: scene.gateway.databaseUrl })
    await superuser.connect()
    await superuser.query('alter table ledger.event disable trigger all')
    // The position of the event is not the same in every run, because the requests that create the
    // test data run concurrently.
    const { rows } = await superuser.query<{ seq: string }>(`update ledger.event set bytes =
      convert_to(replace(convert_from(bytes, 'UTF8'), '"50000"', '"50001"'), 'UTF8')
      where seq = (select min(seq) from ledger.event where convert_from(bytes, 'UTF8') like '%"50000"%')
      returning seq`)
    await superuser.end()
    await startVerification()
    expect(await waitForVerification()).toMatchObject({
      state: 'differs',
      firstBadSeq: rows[0]?.seq,
    })
  })
})
