import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from '../../../testing/further-ledger.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('the pages of an account contain every posting of an event with a fee', async () => {
  const { admin, call, gateway, investor } = scene
  const ledger = gateway.ledger.unrecorded
  const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  await record(ledger, 'SetMoneyRules', { rules: { ...rules, depositFeePpm: 50_000 } })
  const [transactionId, investorId] = [createId(Date.now()), investor.userId]
  const payment = { method: 'Bank Transfer', paymentOptionId: 'harbor', receiptId: 'r' }
  const deposit = { ...payment, transactionId, investorId, receiptSha256: 'a'.repeat(64) }
  await record(ledger, 'RequestDeposit', { ...deposit, amountMinor: 10_000n })
  const approval = { transactionId, paymentOptionId: null, approvedMinor: 10_000n }
  await record(ledger, 'ApproveDeposit', approval)

  const amounts: number[] = []
  for (let cursor = ''; ; ) {
    const { lines, meta } = await expectOk<{
      lines: { amount: number }[]
      meta: { next: string | null }
    }>(call(admin, 'GET', `/admin/ledger/accounts/cash:harbor?limit=1${cursor}`))
    amounts.push(...lines.map(({ amount }) => amount))
    if (meta.next === null) break
    cursor = `&before=${meta.next}`
  }
  expect(amounts.toSorted((one, other) => one - other)).toEqual([-95, -5])
})
