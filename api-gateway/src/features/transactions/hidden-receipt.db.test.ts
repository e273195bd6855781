import { type Command, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submitAll } from '../../../testing/agreed-command.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

/** As many deposits of a user as are compared at most. */
const CANCELLED = 1_000
/** The ledger refuses more open requests of one investor. */
const AT_ONCE = 50

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function cancelDeposits(count: number): Promise<void> {
  const investorId = scene.investor.userId
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  const picture = { receiptId: 'other', receiptSha256: 'f'.repeat(64) }
  const option = { method: 'Bank Transfer', paymentOptionId: null }
  for (let done = 0; done < count; done += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, () => createId(Date.now()))
    const commands = ids.flatMap((transactionId): Command[] => [
      {
        type: 'RequestDeposit',
        data: { transactionId, investorId, amountMinor: 5_000n, ...option, ...picture },
        ...envelope,
      },
      { type: 'CancelDeposit', data: { transactionId, investorId }, ...envelope },
    ])
    await submitAll(scene.gateway, commands)
  }
}

test('cancelled deposits do not hide that a receipt was credited before', async () => {
  await cancelDeposits(CANCELLED)
  const again = await scene.deposit(scene.investor, '20.00')
  const shown = await expectOk(scene.call(scene.admin, 'GET', `/transactions/${again}`))
  expect(shown).toMatchObject({
    flags: ['receipt-used-before'],
    sameReceipt: [{ id: scene.depositId }],
  })
})
