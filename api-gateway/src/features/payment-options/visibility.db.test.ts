import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, ok, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

interface Option {
  id: string
  accountNumber: string
  displayStatus: boolean
  waitingSince: string | null
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const own = { payOption: 'Bank Transfer', bank: 'Hill Bank', accountNumber: 'IBAN 1' }
const swapped = { accountNumber: 'IBAN of a thief' }

async function setThreshold(approvalThresholdMinor: bigint | null): Promise<void> {
  const { ledger } = scene.gateway
  const { version: _version, ...rules } = (await ledger.ask('rules', {})).rules
  await ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...rules, approvalThresholdMinor } },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}

function edit(by: Visitor, id: string, body: object) {
  return scene.call(by, 'PATCH', `/paymentOptions/${id}`, body)
}

async function changed(by: Visitor, id: string, body: object): Promise<Option> {
  return (await ok<{ paymentOption: Option }>(edit(by, id, body))).paymentOption
}

async function add(by: Visitor): Promise<string> {
  return idOf(await ok(scene.call(by, 'POST', '/paymentOptions', own)), 'paymentOption')
}

/** The account numbers that the site shows to an investor. */
async function offered(): Promise<string[]> {
  const { paymentOptions } = await ok<{ paymentOptions: Option[] }>(
    scene.call(scene.investor, 'GET', '/paymentOptions'),
  )
  return paymentOptions.map(({ accountNumber }) => accountNumber)
}

describe('where money is paid to, where two administrators decide', () => {
  let id: string
  beforeEach(async () => {
    await setThreshold(null)
    id = await add(scene.admin)
    await setThreshold(100_000n)
  })

  test('a replaced account is hidden until another administrator approves it', async () => {
    const { admin, second } = scene
    const hidden = await changed(admin, id, { ...swapped, displayStatus: true })
    expect(hidden).toMatchObject({ displayStatus: false, waitingSince: expect.any(String) })
    expect(await offered()).not.toContain(swapped.accountNumber)
    const asOf = hidden.waitingSince
    const alone = await edit(admin, id, { displayStatus: true, asOf })
    expect(alone).toMatchObject({ status: 409, body: { code: 'SECOND_APPROVER_NEEDED' } })
    const shown = await changed(second, id, { ...own, ...swapped, displayStatus: true, asOf })
    expect(shown).toMatchObject({ displayStatus: true, waitingSince: null })
    expect(await offered()).toContain(swapped.accountNumber)
  })

  test('a new one waits too; what leads nowhere else does not', async () => {
    const { admin } = scene
    const fresh = await add(admin)
    expect(await changed(admin, fresh, {})).toMatchObject({
      displayStatus: false,
      waitingSince: expect.any(String),
    })
    expect(await changed(admin, id, { displayStatus: false })).toMatchObject({ waitingSince: null })
    expect(await changed(admin, id, { displayStatus: true })).toMatchObject({ displayStatus: true })
  })

  test('is approved only in the version that was seen', async () => {
    const { admin, second } = scene
    const { waitingSince: asOf } = await changed(admin, id, { accountNumber: 'IBAN 2' })
    scene.gateway.moveClock(1_000)
    const latest = 'IBAN of another thief'
    await changed(admin, id, { accountNumber: latest })
    const late = await edit(second, id, { displayStatus: true, asOf })
    expect(late).toMatchObject({ status: 409, body: { code: 'OPTION_CHANGED' } })
    const blind = await edit(second, id, { displayStatus: true })
    expect(blind).toMatchObject({ status: 409, body: { code: 'OPTION_CHANGED' } })
    const mixed = await edit(second, id, { accountNumber: 'IBAN 3' })
    expect(mixed).toMatchObject({ status: 409, body: { code: 'OPTION_WAITS' } })
    expect(await offered()).not.toContain(latest)
  })

  test('sabotaged twin: without a second approval the replaced account is visible at once', async () => {
    await setThreshold(null)
    const accountNumber = 'IBAN that nobody looked at'
    await changed(scene.admin, id, { accountNumber })
    expect(await offered()).toContain(accountNumber)
  })
})
