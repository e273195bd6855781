import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addUserOfSecondLedger,
  fund,
  startGatewayOfTwoLedgers,
} from '../../../testing/further-ledger.ts'
import { type LivePage, openLivePage, waitUntil } from '../../../testing/live-page.ts'
import {
  addUser,
  openVisit,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let admin: Visitor
let east: Visitor
let west: Visitor
const pages: LivePage[] = []

beforeAll(async () => {
  gateway = await startGatewayOfTwoLedgers()
  admin = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  east = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
  west = await openVisit(gateway, await addUserOfSecondLedger(gateway))
  // New streams repeat the changes of the last ten seconds, which this clock moves beyond.
  gateway.moveClock(11_000)
})
afterAll(async () => {
  for (const page of pages) page.close()
  await gateway?.stop()
})

/** Opens a page, and waits until its stream includes all changes so far. */
async function openPage(visitor: Visitor, lastEventId?: string): Promise<LivePage> {
  const page = await openLivePage(gateway, visitor, { lastEventId })
  pages.push(page)
  await waitUntil(() => page.position !== null)
  return page
}

const fundWest = () =>
  fund(gateway.otherLedger(2), { investorId: west.userId, amountMinor: 1_000n })
const hasBalance = ({ messages }: LivePage) =>
  messages.some(({ topics }) => topics.includes('balance'))

test('a change in a further ledger reaches its person and administrators, and no other page', async () => {
  const [own, foreign, review] = [await openPage(west), await openPage(east), await openPage(admin)]
  await fundWest()
  await waitUntil(() => hasBalance(own) && hasBalance(review))
  const { size } = await gateway.otherLedger(2).ask('head', { size: null })
  expect(own.messages.find(hasTopics)?.id).toMatch(new RegExp(`^\\d+,2:${size - 1n}$`))
  expect(foreign.messages).toEqual([])
  expect(foreign.position).toMatch(/^\d+$/)
})

function hasTopics({ topics }: LivePage['messages'][number]): boolean {
  return topics.includes('balance')
}

test('a change in the first ledger reaches a page that also shows another one', async () => {
  const [own, review] = [await openPage(east), await openPage(admin)]
  await fund(gateway.otherLedger(1), { investorId: east.userId, amountMinor: 1_000n })
  await waitUntil(() => hasBalance(own) && hasBalance(review))
})

test('a page that was disconnected receives what it missed in its ledger', async () => {
  const before = await openPage(west)
  const { position } = before
  before.close()
  await fundWest()
  gateway.moveClock(11_000)
  const back = await openPage(west, position ?? '')
  await waitUntil(() => hasBalance(back))
  // The position names the newest event, so nothing is repeated after it.
  const again = await openPage(west, back.position ?? '')
  expect(again.messages).toEqual([])
  // Sabotaged twin: a position without the second ledger does not say what was missed.
  const lost = await openPage(west, (back.position ?? '').split(',')[0])
  await waitUntil(() => lost.messages.length > 0)
})
