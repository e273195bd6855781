import type { AdminSettings, PublicSettings, RiskAcceptance } from '@cairn/gateway-contracts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  type Visitor,
} from '../../../testing/test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.gateway.stop())

const ELSEWHERE = 'You can lose all of it.'
const IN_GERMANY = 'In Germany: you can lose all of it.'

async function saveTexts(riskTexts: { country: string; text: string }[]): Promise<void> {
  const { settings } = await expectOk<{ settings: AdminSettings }>(
    scene.call(scene.admin, 'GET', '/admin/settings'),
  )
  const general = {
    ...settings.general,
    riskBanner: { isShown: true, text: ELSEWHERE },
    riskTexts,
  }
  await expectOk(scene.call(scene.admin, 'POST', '/admin/settings', { ...settings, general }))
}

async function listTexts(): Promise<PublicSettings['riskTexts']> {
  const { settings } = await expectOk<{ settings: PublicSettings }>(
    scene.call(null, 'GET', '/public/settings'),
  )
  return settings.riskTexts
}

async function findVersion(country: string | null): Promise<string> {
  const found = (await listTexts()).find((each) => each.country === country)
  if (found === undefined) throw new Error(`there is a text for ${country}`)
  return found.version
}

async function requestInvestment(visitor: Visitor, riskVersion?: string) {
  const body = { plan: scene.planId, amount: 50, ...(riskVersion && { riskVersion }) }
  return scene.call(visitor, 'POST', '/users/me/investments', body)
}

async function setCountry(country: string): Promise<void> {
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ country })
    .where('id', '=', scene.investor.userId)
    .execute()
}

async function readAcceptance(id: string): Promise<RiskAcceptance | null> {
  const { riskAcceptance } = await expectOk<{ riskAcceptance: RiskAcceptance | null }>(
    scene.call(scene.investor, 'GET', `/investments/${id}`),
  )
  return riskAcceptance
}

test('the default settings contain the regulator’s text for its country', async () => {
  const [everybody, ...own] = await listTexts()
  expect(everybody).toMatchObject({ country: null, countryName: null })
  expect(own).toMatchObject([
    { country: 'GB', text: expect.stringContaining('prepared to lose all the money you invest') },
  ])
})

test('the accepted text is that of the investor’s country and is stored unchanged', async () => {
  await saveTexts([{ country: 'DE', text: IN_GERMANY }])
  await setCountry('DE')
  const answer = await expectOk(requestInvestment(scene.investor, await findVersion('DE')))
  const id = getId(answer, 'investment')
  const later = `${IN_GERMANY} Really.`
  await saveTexts([{ country: 'DE', text: later }])
  expect(await readAcceptance(id)).toMatchObject({ country: 'DE', text: IN_GERMANY })
  expect((await listTexts())[1]).toMatchObject({ countryName: 'Germany', text: later })
})

test('an acceptance of the text of another country, or of an older text, opens no investment', async () => {
  await setCountry('DE')
  await saveTexts([{ country: 'DE', text: IN_GERMANY }])
  scene.gateway.ledger.commands.length = 0
  const refused = await requestInvestment(scene.investor, await findVersion(null))
  expect(refused).toMatchObject({ status: 409, body: { code: 'RISK_TEXT_CHANGED' } })
  expect(scene.gateway.ledger.commands).toEqual([])
  await setCountry('US')
  expect((await requestInvestment(scene.investor, await findVersion(null))).status).toBe(201)
})

test('sabotaged twin: if every acceptance is valid, the acceptance of another text opens an investment', async () => {
  await setCountry('DE')
  const { settings } = scene.gateway.deps
  const { read } = settings
  const stale = await findVersion(null)
  settings.read = async () => {
    const site = await read()
    return { ...site, general: { ...site.general, riskTexts: [] } }
  }
  expect((await requestInvestment(scene.investor, stale)).status).toBe(201)
  settings.read = read
})

/** Requests an investment with a key and loses the answer; then changes the text and repeats it. */
async function repeatAfterLostAnswer(
  key: string,
  changeBetween: () => Promise<unknown>,
): Promise<{ replies: Reply[]; opened: number }> {
  const { gateway, investor, planId } = scene
  const { ledger } = gateway
  const body = { plan: planId, amount: 50, riskVersion: await findVersion('DE') }
  const headers = { 'idempotency-key': key }
  const request = { method: 'POST', path: '/users/me/investments', body, headers }
  const countInvestments = async () => {
    const path = '/users/me/investments'
    const { investments } = await expectOk<{ investments: object[] }>(
      scene.call(investor, 'GET', path),
    )
    return investments.length
  }
  const before = await countInvestments()
  const sent: Promise<unknown>[] = []
  ledger.answerWith = (command) => {
    sent.push(ledger.unrecorded.submit(command))
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  }
  const first = await send(gateway, investor, request)
  ledger.answerWith = () => null
  await Promise.all(sent)
  await changeBetween()
  const second = await send(gateway, investor, request)
  return { replies: [first, second], opened: (await countInvestments()) - before }
}

const changeText = async () => {
  await saveTexts([{ country: 'DE', text: `${IN_GERMANY} Think twice.` }])
  await setCountry('US')
}

test('a repetition gets the recorded investment, although the text has changed since', async () => {
  await setCountry('DE')
  await saveTexts([{ country: 'DE', text: IN_GERMANY }])
  const { replies, opened } = await repeatAfterLostAnswer('lost-1', changeText)
  expect(replies.map(({ status }) => status)).toEqual([503, 201])
  expect(opened).toBe(1)
})

test('sabotaged twin: if the acceptance is forgotten, the repetition of a recorded investment is refused', async () => {
  await setCountry('DE')
  await saveTexts([{ country: 'DE', text: IN_GERMANY }])
  const { replies, opened } = await repeatAfterLostAnswer('lost-2', async () => {
    await changeText()
    const client = new pg.Client(scene.gateway.databaseUrl)
    await client.connect()
    await client.query('delete from platform.risk_acceptance')
    await client.end()
  })
  expect(replies[1]).toMatchObject({ status: 409, body: { code: 'RISK_TEXT_CHANGED' } })
  expect(opened).toBe(1)
})

test('a documented request without a version records no acceptance', async () => {
  const id = getId(await expectOk(requestInvestment(scene.investor)), 'investment')
  expect(await readAcceptance(id)).toBeNull()
})

test('the gateway cannot change a recorded acceptance', async () => {
  const rewrite = scene.gateway.db.updateTable('platform.risk_acceptance').set({ country: 'US' })
  await expect(rewrite.execute()).rejects.toThrow(/permission denied/)
  const forget = scene.gateway.db.deleteFrom('platform.risk_text')
  await expect(forget.execute()).rejects.toThrow(/permission denied/)
})

test.each([
  [[{ country: 'Germany', text: 'x' }], 'Choose a country'],
  [[{ country: 'DE', text: 'a\u0000b' }], 'A text has characters that cannot be stored'],
  [[{ country: 'DE', text: ' ' }], 'Each country needs a text of at most 600 characters'],
  [
    [
      { country: 'DE', text: 'x' },
      { country: 'DE', text: 'y' },
    ],
    'A country can have only one text',
  ],
])('texts are refused as a whole: %j', async (riskTexts, message) => {
  const { settings } = await expectOk<{ settings: AdminSettings }>(
    scene.call(scene.admin, 'GET', '/admin/settings'),
  )
  const general = { ...settings.general, riskTexts }
  const reply = await scene.call(scene.admin, 'POST', '/admin/settings', { ...settings, general })
  expect(reply).toMatchObject({ status: 400, body: { errors: { riskTexts: message } } })
})

test('investors of other countries see the general text', async () => {
  const userId = await addUser(scene.gateway, { role: 'user', status: 'active' })
  const visitor = await openVisit(scene.gateway, userId)
  // The acceptance is valid, so the only reason for the refusal is the missing money.
  const reply = await requestInvestment(visitor, await findVersion(null))
  expect(reply).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } })
})
