import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, startScene } from './scene.ts'
import type { Visitor } from './test-gateway.ts'

const AN_ID = '0123456789abcdefghjk'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

type Act = readonly [who: Visitor, method: string, path: string, body: object]

/** Sends the requests and returns the answers. `isSame` is true if no balance has changed. */
async function sendAllCalls(acts: readonly Act[]) {
  const { gateway, call } = scene
  const before = await gateway.ledger.ask('totals', {})
  const answers: string[] = []
  for (const [who, method, path, body] of acts) {
    const reply = await call(who, method, path, body)
    answers.push(`${reply.status} ${reply.body.code}`)
  }
  const { totals } = await gateway.ledger.ask('totals', {})
  return {
    answers,
    isSame: JSON.stringify(formatTotals(totals)) === JSON.stringify(formatTotals(before.totals)),
  }
}

const formatTotals = ({ byKind }: { byKind: Readonly<Record<string, bigint>> }) =>
  Object.entries(byKind).map(([kind, minor]) => [kind, String(minor)])

test('a missing object is neither decided nor moved', async () => {
  const { admin, investor } = scene
  const why = { reason: 'a reason' }
  const gift = { wallet_type: 'balance', amount: 5, category: 'gift', ...why }
  const { answers, isSame } = await sendAllCalls([
    [admin, 'PATCH', `/investments/${AN_ID}/status`, { status: 'denied', ...why }],
    [admin, 'PATCH', `/transactions/${AN_ID}/action/approve`, {}],
    [admin, 'PATCH', `/transactions/${AN_ID}/action/decline`, why],
    [admin, 'POST', `/admin/approvals/${AN_ID}/reject`, why],
    [admin, 'POST', `/admin/approvals/${AN_ID}/withdraw`, {}],
    [admin, 'PATCH', `/users/${AN_ID}/wallets`, gift],
    [investor, 'POST', `/users/me/transactions/${AN_ID}/cancel`, {}],
    [investor, 'POST', `/users/me/investments/${AN_ID}/cancel`, {}],
  ])
  expect(answers).toEqual(answers.map(() => '404 NOT_FOUND'))
  expect(isSame).toBe(true)
})

test('a decided request is not decided the other way', async () => {
  const { second, investor, depositId } = scene
  const why = { reason: 'a reason' }
  const { answers, isSame } = await sendAllCalls([
    [second, 'PATCH', `/transactions/${depositId}/action/decline`, why],
    [investor, 'POST', `/users/me/transactions/${depositId}/cancel`, {}],
  ])
  expect(answers).toEqual(answers.map(() => '409 TRANSACTION_DECIDED'))
  expect(isSame).toBe(true)
})

test('a repeated approval is answered, and moves nothing', async () => {
  const { second, depositId } = scene
  const { answers, isSame } = await sendAllCalls([
    [second, 'PATCH', `/transactions/${depositId}/action/approve`, {}],
  ])
  expect(answers).toEqual(['200 undefined'])
  expect(isSame).toBe(true)
})

test('sabotaged twin: the same acts on pending requests move money', async () => {
  const { admin, investor, deposit } = scene
  const waiting = await deposit(investor, '30.00')
  const { answers, isSame } = await sendAllCalls([
    [admin, 'PATCH', `/transactions/${waiting}/action/approve`, {}],
  ])
  expect(answers).toEqual(['200 undefined'])
  expect(isSame).toBe(false)
})
