import { type CommandType, createId, followingId } from '@cairn/ledger-contracts'
import { parseReceipt } from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene, TEN_DAYS } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'

const PRINCIPAL_MINOR = 123_456n

let scene: Scene
let referrer: Visitor
let buyer: Visitor
let planId: string
let investmentId: string
let bonusId: string
beforeAll(async () => {
  scene = await startScene()
  referrer = scene.stranger
  buyer = await addBuyer()
  planId = getId(await expectOk(scene.call(scene.admin, 'POST', '/plans', PLAN)), 'plan')
  const transactionId = createId(Date.now())
  const wallet = { wallet: 'balance', category: null, reason: null }
  const gift = { transactionId, investorId: buyer.userId, amountMinor: 500_000n, ...wallet }
  await record('FundWallet', gift)
  const opening = { plan: planId, amount: 1234.56 }
  investmentId = getId(
    await expectOk(scene.call(buyer, 'POST', '/users/me/investments', opening)),
    'investment',
  )
  bonusId = followingId.deriveReferralBonusId(investmentId)
})
afterAll(() => scene?.gateway.stop())

const PLAN = { ...TEN_DAYS, referalBonus: 2 }

async function record(type: CommandType, data: object): Promise<void> {
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  const command = { type, data, ...rest } as Parameters<typeof scene.gateway.ledger.submit>[0]
  expect(await scene.gateway.ledger.submit(command)).toMatchObject({ outcome: 'recorded' })
}

/** Adds an active investor whom `referrer` referred. */
async function addBuyer(): Promise<Visitor> {
  const { gateway } = scene
  const userId = await addUser(gateway, { role: 'user', status: 'pending' })
  await record('ActivateInvestor', { investorId: userId, referrerId: referrer.userId })
  await gateway.db
    .updateTable('identity.user')
    .set({ status: 'active', referrer_id: referrer.userId })
    .where('id', '=', userId)
    .execute()
  return openVisit(gateway, userId)
}

describe('the receipt of a referral bonus', () => {
  test('names neither the buyer nor the plan nor the principal', async () => {
    const proof = await expectOk<{ receipt: string }>(
      scene.call(referrer, 'GET', `/transactions/${bonusId}/proof`),
    )
    const event = Buffer.from(parseReceipt(proof.receipt).event).toString()
    expect(JSON.parse(event)).toMatchObject({
      type: 'ReferralBonusPaid',
      data: { bonusTo: referrer.userId, bonusMinor: '2469' },
    })
    const { body } = await scene.call(referrer, 'GET', `/transactions/${bonusId}`)
    for (const secret of [buyer.userId, planId, String(PRINCIPAL_MINOR), '1234.56']) {
      expect(event).not.toContain(secret)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  test('is about the referrer in the list of events, too', async () => {
    const path = '/admin/ledger/events?type=ReferralBonusPaid'
    expect(await expectOk(scene.call(scene.admin, 'GET', path))).toMatchObject({
      events: [{ subject: { id: referrer.userId } }],
    })
  })

  test('is not given for the event that takes the bonus back, except to its investor', async () => {
    const withdrawalId = createId(Date.now())
    const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
    await record('RequestWithdrawal', {
      transactionId: withdrawalId,
      investorId: referrer.userId,
      source: 'referral',
      amountMinor: 2_469n,
      ...bank,
    })
    await record('DenyInvestment', { investmentId, reason: 'terms broken' })
    const requestReceipt = (who: Visitor, id: string) =>
      scene.call(who, 'GET', `/transactions/${id}/proof`)
    for (const id of [followingId.deriveBonusReturnId(investmentId), withdrawalId]) {
      const reply = await requestReceipt(referrer, id)
      expect(reply).toMatchObject({ status: 404, body: { code: 'NO_RECEIPT' } })
      expect(JSON.stringify(reply)).not.toContain(buyer.userId)
    }
    const { body } = await scene.call(
      referrer,
      'GET',
      `/transactions/${followingId.deriveBonusReturnId(investmentId)}`,
    )
    expect(JSON.stringify(body)).not.toContain('terms broken')
    for (const id of [
      followingId.derivePurchaseId(investmentId),
      followingId.derivePrincipalReturnId(investmentId),
    ]) {
      const { receipt } = await expectOk<{ receipt: string }>(requestReceipt(buyer, id))
      expect(Buffer.from(parseReceipt(receipt).event).toString()).toContain(buyer.userId)
    }
  })
})
