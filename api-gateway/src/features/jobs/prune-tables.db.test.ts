import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { send } from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { pruneKeyedRequests } from '../../platform/http/keyed-request.ts'
import { pruneTables } from './prune-tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let scene: Scene
/** A connection with the rights of the worker. */
let db: Database
beforeAll(async () => {
  scene = await startScene()
  const url = scene.gateway.workerUrl
  db = openDatabase({ url, applicationName: 'test-worker', onError: () => {} })
})
afterAll(async () => {
  await db?.destroy()
  await scene?.gateway.stop()
})
beforeEach(async () => {
  await scene.gateway.db.deleteFrom('platform.keyed_request').execute()
  await scene.gateway.db.deleteFrom('identity.login_attempt').execute()
})

const prune = (nowMs: number) => pruneTables({ db, ledger: scene.gateway.ledger }, nowMs)

function requestInvestment(key: string) {
  const { gateway, investor, planId } = scene
  const body = { plan: planId, amount: 50 }
  const headers = { 'idempotency-key': key }
  return send(gateway, investor, { method: 'POST', path: '/users/me/investments', body, headers })
}

async function countKeys(): Promise<number> {
  const rows = await scene.gateway.db.selectFrom('platform.keyed_request').select('key').execute()
  return rows.length
}

async function readBalance(): Promise<bigint> {
  const account = `investor:${scene.investor.userId}:balance`
  const { balanceMinor } = await scene.gateway.ledger.ask('balance', { account, at: null })
  return balanceMinor
}

describe('requests with a key', () => {
  test('return their answer for 30 days and never pay again afterwards', async () => {
    await expectOk(requestInvestment('monthly'))
    const balance = await readBalance()
    await prune(Date.now() + 29 * DAY_MS)
    expect((await requestInvestment('monthly')).status).toBe(201)
    expect(await readBalance()).toBe(balance)
    await prune(Date.now() + 31 * DAY_MS)
    expect(await countKeys()).toBe(0)
    const late = await requestInvestment('monthly')
    expect(late).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } })
    expect(await readBalance()).toBe(balance)
  })

  test('sabotaged twin: a key that the ledger does not know pays again', async () => {
    await expectOk(requestInvestment('second'))
    const balance = await readBalance()
    expect((await requestInvestment('second-unknown')).status).toBe(201)
    expect(await readBalance()).toBeLessThan(balance)
  })

  test('are deleted in batches, the oldest first', async () => {
    const getDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
    const row = { user_id: createId(Date.now()), request_hash: Buffer.alloc(32), subject_id: 'x' }
    await scene.gateway.db
      .insertInto('platform.keyed_request')
      .values(
        [40, 42, 41, 3].map((days) => ({ ...row, key: `${days}`, created_at: getDaysAgo(days) })),
      )
      .execute()
    expect(await pruneKeyedRequests(db, { nowMs: Date.now(), limit: 2 })).toBe(2)
    const left = await scene.gateway.db
      .selectFrom('platform.keyed_request')
      .select('key')
      .orderBy('key')
      .execute()
    expect(left.map(({ key }) => key)).toEqual(['3', '40'])
  })
})

describe('a request with a key that sent an announcement', () => {
  const body = { kind: 'market-update', subject: 'News', text: 'The market is open.' }
  const headers = { 'idempotency-key': 'news' }
  const announce = () => {
    const request = { method: 'POST', path: '/admin/announcements', body, headers }
    return send(scene.gateway, scene.admin, request)
  }
  const countAnnouncements = async () => {
    const rows = await scene.gateway.db.selectFrom('platform.announcement').select('id').execute()
    return rows.length
  }
  beforeAll(async () => {
    const wishes = { marketUpdates: true }
    await expectOk(scene.call(scene.investor, 'PUT', '/users/me/preferences', wishes))
  })

  test('is kept, so its repetition sends nothing, also after 30 days', async () => {
    const sent = await expectOk(announce())
    await prune(Date.now() + 31 * DAY_MS)
    await scene.gateway.moveAllClocks(31 * DAY_MS)
    expect(await expectOk(announce())).toEqual(sent)
    expect(await countAnnouncements()).toBe(1)
    // Its sabotaged twin: without the request, the same key sends the announcement again.
    await scene.gateway.db.deleteFrom('platform.keyed_request').execute()
    expect((await announce()).status).toBe(201)
    expect(await countAnnouncements()).toBe(2)
  })
})

describe('failed logins', () => {
  const addCounter = (byte: number, row: { ageHours: number; nextInHours: number }) =>
    scene.gateway.db
      .insertInto('identity.login_attempt')
      .values({
        email_hash: Buffer.alloc(32, byte),
        failures: 1,
        updated_at: new Date(Date.now() - row.ageHours * HOUR_MS),
        next_at: new Date(Date.now() + row.nextInHours * HOUR_MS),
      })
      .execute()

  test('are deleted after two days, and a locked account stays locked', async () => {
    await addCounter(1, { ageHours: 47, nextInHours: -47 })
    await addCounter(2, { ageHours: 49, nextInHours: -49 })
    await addCounter(3, { ageHours: 5_000, nextInHours: 80_000 })
    await prune(Date.now())
    const left = await scene.gateway.db
      .selectFrom('identity.login_attempt')
      .select('email_hash')
      .orderBy('email_hash')
      .execute()
    expect(left.map(({ email_hash }) => email_hash[0])).toEqual([1, 3])
  })
})

describe('accepted risk warnings', () => {
  const VERSION = '0123456789abcdef'
  const storeAcceptance = async (investmentId: string, days: number): Promise<string> => {
    const { db: gatewayDb } = scene.gateway
    const text = { version: VERSION, text: 'You can lose all of it.' }
    const skipKnown = gatewayDb.insertInto('platform.risk_text').values(text)
    await skipKnown.onConflict((conflict) => conflict.doNothing()).execute()
    await gatewayDb
      .insertInto('platform.risk_acceptance')
      .values({
        investment_id: investmentId,
        user_id: scene.investor.userId,
        version: VERSION,
        country: 'US',
        accepted_at: new Date(Date.now() - days * DAY_MS),
      })
      .execute()
    return investmentId
  }

  test('are deleted after 31 days if the investment was never recorded', async () => {
    const used = await storeAcceptance(scene.investmentId, 32)
    const unused = await storeAcceptance(createId(Date.now()), 32)
    const recent = await storeAcceptance(createId(Date.now() + 1), 30)
    // The row of this acceptance is kept, because a repeated request would use the investment id of
    // this row again.
    const repeatable = await storeAcceptance(createId(Date.now() + 2), 32)
    await scene.gateway.db
      .insertInto('platform.keyed_request')
      .values({
        user_id: scene.investor.userId,
        key: 'open',
        request_hash: Buffer.alloc(32),
        subject_id: repeatable,
        created_at: new Date(),
      })
      .execute()
    await prune(Date.now())
    const left = await scene.gateway.db
      .selectFrom('platform.risk_acceptance')
      .select(['investment_id', 'used_at'])
      .execute()
    const ids = left.map(({ investment_id }) => investment_id)
    expect(new Set(ids)).toEqual(new Set([used, recent, repeatable]))
    expect(ids).not.toContain(unused)
    expect(left.filter(({ used_at }) => used_at !== null)).toMatchObject([{ investment_id: used }])
  })
})

test('mails are deleted 30 days after they were queued, unless they still wait', async () => {
  const { db: own } = scene.gateway
  await own.deleteFrom('identity.outbox').execute()
  const addMail = (id: string, { days, sealed }: { days: number; sealed: Buffer | null }) =>
    own
      .insertInto('identity.outbox')
      .values({
        id,
        kind: 'new-login',
        user_id: scene.investor.userId,
        sealed,
        created_at: new Date(Date.now() - days * DAY_MS),
      })
      .execute()
  await addMail('recent', { days: 29, sealed: null })
  await addMail('old', { days: 31, sealed: null })
  await addMail('waiting', { days: 31, sealed: Buffer.alloc(1) })
  await prune(Date.now())
  const left = await own.selectFrom('identity.outbox').select('id').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(['recent', 'waiting'])
})
