import { setTimeout as delay } from 'node:timers/promises'
import type { AdminRole } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LivePage, openLivePage, waitUntil } from '../../../testing/live-page.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'
import { createNotificationFollower } from '../../features/notifications/follower.ts'
import { followOnce } from '../jobs/follower.ts'
import { listenForChanges } from './change-listener.ts'
import { REPLAY_EVENTS_MAX } from './missed-changes.ts'

let scene: Scene
const pages: LivePage[] = []
beforeAll(async () => {
  scene = await startScene()
})
afterAll(async () => {
  for (const page of pages) page.close()
  await scene?.gateway.stop()
})

async function openPage(visitor: Visitor, lastEventId?: string, query = ''): Promise<LivePage> {
  const page = await openLivePage(scene.gateway, visitor, { lastEventId, query })
  pages.push(page)
  return page
}

test('a new page receives the changes of the last seconds and no older changes', async () => {
  await scene.deposit(scene.investor, '27.00')
  const fresh = await openPage(scene.investor)
  await waitUntil(() => fresh.messages.length > 0)
  expect(fresh.messages[0]?.topics).toContain('transactions')
  scene.gateway.moveClock(11_000)
  const later = await openPage(scene.investor)
  await delay(300)
  expect(later.messages).toEqual([])
})

test('an approval appears in the page of its investor within a second, and in no other page', async () => {
  const id = await scene.deposit(scene.investor, '25.00')
  const own = await openPage(scene.investor)
  const foreign = await openPage(scene.stranger)
  const review = await openPage(scene.second)
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`))
  // The event of the deposit may arrive first, so the test looks for the approval.
  const isApproved = ({ topics }: LivePage['messages'][number]) => topics.includes('balance')
  const tookMs = await waitUntil(() => own.messages.some(isApproved))
  expect(tookMs).toBeLessThan(chooseTimeLimit(1_000))
  expect(own.messages.find(isApproved)?.topics).toEqual(['transactions', 'balance'])
  await waitUntil(() => review.messages.length > 0)
  expect(review.messages[0]?.topics).toContain('queue')
  expect(foreign.messages).toEqual([])
})

test('an administrator receives only topics that a permission covers', async () => {
  const { gateway } = scene
  const add = async (roles: readonly AdminRole[]) =>
    openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active', roles }))
  const [support, without, owner] = [await add(['support']), await add([]), scene.second]
  const [narrow, none, whole] = [
    await openPage(support),
    await openPage(without),
    await openPage(owner),
  ]
  await scene.deposit(scene.investor, '29.00')
  const listTopics = ({ messages }: LivePage) => new Set(messages.flatMap(({ topics }) => topics))
  await waitUntil(() => listTopics(whole).has('log') && listTopics(narrow).has('queue'))
  expect(listTopics(narrow)).not.toContain('log')
  // A message to this administrator would have arrived by now.
  expect(listTopics(none)).toEqual(new Set())
})

test('a page that was disconnected receives the missed changes', async () => {
  const { size } = await scene.gateway.ledger.ask('head', { size: null })
  await scene.deposit(scene.investor, '26.00')
  const back = await openPage(scene.investor, String(size - 1n))
  await waitUntil(() => back.messages.length > 0)
  expect(back.messages[0]).toMatchObject({ event: 'change', topics: ['transactions'] })
  expect(BigInt(back.messages[0]?.id ?? -1)).toBe(size)
})

test('a page that takes over a stream receives the changes after the position that it names', async () => {
  const before = await openPage(scene.investor)
  await waitUntil(() => before.position !== null)
  before.close()
  await scene.deposit(scene.investor, '28.00')
  // A stream without a position repeats only the last ten seconds. The clock moves further, so only
  // the position can select the deposit.
  scene.gateway.moveClock(11_000)
  const next = await openPage(scene.investor, undefined, `?after=${before.position}`)
  await waitUntil(() => next.messages.length > 0)
  expect(next.messages[0]?.topics).toContain('transactions')
  const header = await openPage(scene.investor, next.messages[0]?.id ?? '', '?after=0')
  await waitUntil(() => header.position !== null)
  expect(header.messages).toEqual([])
})

test('a page that has missed more than 200 events, or names an unknown event, reloads', async () => {
  const { gateway } = scene
  const submit = () =>
    gateway.ledger.unrecorded.submit({
      type: 'ActivateInvestor',
      data: { investorId: createId(Date.now()), referrerId: null },
      actor: 'system:test',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
  await Promise.all(Array.from({ length: REPLAY_EVENTS_MAX + 1 }, submit))
  const { size } = await gateway.ledger.ask('head', { size: null })
  const head = size - 1n
  const reconnectAfter = async (after: bigint) => {
    const page = await openPage(scene.second, String(after))
    await waitUntil(() => page.position !== null)
    expect(page.position).toBe(String(head))
    // The newest events can also arrive as new changes, so the test looks only for `reload`.
    return page.messages.some(({ event }) => event === 'reload') ? 'reload' : 'replay'
  }
  expect(await reconnectAfter(head - BigInt(REPLAY_EVENTS_MAX))).toBe('replay')
  expect(await reconnectAfter(head - BigInt(REPLAY_EVENTS_MAX) - 1n)).toBe('reload')
  expect(await reconnectAfter(head + 1n)).toBe('reload')
  expect(await reconnectAfter(head)).toBe('replay')
})

test('a stream asked for in the name of another person is refused', async () => {
  const own = await openPage(scene.investor, undefined, `?user=${scene.investor.userId}`)
  await waitUntil(() => own.position !== null)
  const refused = await scene.call(scene.stranger, 'GET', `/events?user=${scene.investor.userId}`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'ANOTHER_USER' } })
})

async function waitForListener(): Promise<void> {
  const superuser = new pg.Client({ connectionString: scene.gateway.databaseUrl })
  await superuser.connect()
  const text = `select count(*)::int as count from pg_stat_activity where query like 'listen %'
                and datname = current_database() and state = 'idle'`
  await expect.poll(async () => (await superuser.query(text)).rows).toEqual([{ count: 1 }])
  await superuser.end()
}

test('a new notification is published after it is committed', async () => {
  const listening = listenForChanges({
    url: scene.gateway.databaseUrl,
    log: pino({ level: 'silent' }),
    onChange: scene.gateway.deps.live.sendToPages,
  })
  await waitForListener()
  const page = await openPage(scene.investor)
  const deps = {
    db: scene.gateway.db,
    ledger: scene.gateway.ledger,
    clock: scene.gateway.deps.clock,
    settings: scene.gateway.deps.settings,
  }
  await followOnce(deps, createNotificationFollower(deps), new AbortController().signal)
  await waitUntil(() => page.messages.some(({ topics }) => topics.includes('notifications')))
  await listening.stop()
})

test('the oldest stream of a person with too many pages is closed, and a stopping gateway closes all', async () => {
  const first = await openPage(scene.stranger)
  for (let page = 0; page < 8; page += 1) await openPage(scene.stranger)
  await waitUntil(() => first.isEnded)
  const last = pages.at(-1)
  expect(last?.isEnded).toBe(false)
  await scene.gateway.deps.live.stop()
  await waitUntil(() => last?.isEnded ?? false)
})
