import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { connectClient } from '../service/database/pool.ts'
import { takeHead } from './head.ts'
import {
  addSeal,
  changeSeal,
  findSealKind,
  readSealedState,
  removeSeal,
  type Seal,
} from './seal.ts'

const LEAVING: Seal = { kind: 'leaving', token: 7n }
const LEFT: Seal = { kind: 'left', token: 7n }

let ledger: TestLedger
let client: pg.Client
beforeAll(async () => {
  ledger = await startTestLedger()
  const url = ledger.database.urlFor('cairn_ledger')
  client = await connectClient({ url, name: 'seal', pipeline: false })
})
afterAll(async () => {
  await client.end()
  await ledger.close()
})

const change = (from: Seal | null, to: Seal | null) => changeSeal(client, { ledger: 1, from, to })
const record = () => createFundedInvestor(ledger, { amountMinor: 0n })
const readSeal = async () => (await readSealedState(client, 1))?.seal

/** Takes the head as a program does that knows the versions of the rules up to this one. */
const take = (modelVersion: number) =>
  takeHead(client, { ledger: 1, nowMs: null, modelVersion, durability: 'local' })

test('a seal is a version of the rules that no program knows', () => {
  for (const kind of ['leaving', 'left', 'arriving'] as const) {
    const sealed = addSeal(2, kind)
    expect(sealed).toBeGreaterThan(999_999)
    expect(findSealKind(sealed)).toBe(kind)
    expect(removeSeal(sealed)).toBe(2)
  }
  expect(findSealKind(2)).toBeNull()
  expect(removeSeal(2)).toBe(2)
})

test('a sealed log gets no event of its writer, and goes on when it is opened', async () => {
  await record()
  const before = await readSealedState(client, 1)
  expect(await change(null, LEAVING)).toBe(true)
  expect(await readSeal()).toEqual(LEAVING)
  await expect(take(1_000)).rejects.toThrow('ledger 1 is being moved')
  const recording = record()
  await new Promise((go) => setTimeout(go, 500))
  expect((await readSealedState(client, 1))?.size).toBe(before?.size)
  expect(await change(LEAVING, null)).toBe(true)
  await recording
  expect((await readSealedState(client, 1))?.size).toBe((before?.size ?? 0n) + 1n)
})

test('sabotaged twin: a log with another token and no seal gets the event', async () => {
  const before = await readSealedState(client, 1)
  await change(null, null)
  await record()
  expect((await readSealedState(client, 1))?.size).toBe((before?.size ?? 0n) + 1n)
})

test('only the seal that is expected is changed', async () => {
  expect(await change(LEAVING, LEFT)).toBe(false)
  expect(await change(null, LEAVING)).toBe(true)
  expect(await change({ ...LEAVING, token: 8n }, null)).toBe(false)
  expect(await change(LEAVING, LEFT)).toBe(true)
  expect(await change(LEAVING, null)).toBe(false)
  expect(await readSeal()).toEqual(LEFT)
})

test('after the ledger has left, its commands fail at once', async () => {
  await expect(record()).rejects.toThrow('ledger 1 has moved to another place')
})
