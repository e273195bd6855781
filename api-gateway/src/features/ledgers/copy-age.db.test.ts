import { afterAll, beforeAll, expect, test } from 'vitest'
import { record, startGatewayOfTwoLedgers } from '../../../testing/further-ledger.ts'
import { type RuleWorker, startRuleWorker } from '../../../testing/rule-worker.ts'
import type { TestGateway } from '../../../testing/test-gateway.ts'
import type { LabelledGaugeOptions } from '../../platform/metrics/metrics.ts'
import { createCopyAgeGauge } from './copy-age.ts'

const HOUR_MS = 3_600_000

let gateway: TestGateway
let worker: RuleWorker
let gauge: LabelledGaugeOptions
beforeAll(async () => {
  gateway = await startGatewayOfTwoLedgers()
  worker = startRuleWorker(gateway)
  gauge = createCopyAgeGauge({ db: worker.db, clock: gateway.deps.clock })
})
afterAll(async () => {
  await worker?.stop()
  await gateway?.stop()
})

/** Returns the age of each ledger in whole hours. */
async function readHours() {
  return [...(await gauge.read())].map(([ledger, seconds]) => [ledger, Math.floor(seconds / 3_600)])
}

test('before the first copy, the age is that of the ledger', async () => {
  expect(await readHours()).toEqual([['2', 0]])
  gateway.moveClock(10 * HOUR_MS)
  // The first ledger has nothing to copy yet, so this copy is not complete.
  await worker.runCopies()
  expect(await readHours()).toEqual([['2', 10]])
})

test('a complete copy has no age, and a stopped one grows older', async () => {
  const { version: _, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  await record(gateway.ledger.unrecorded, 'SetMoneyRules', { rules })
  await worker.runCopies()
  expect(await readHours()).toEqual([['2', 0]])
  gateway.moveClock(20 * HOUR_MS)
  expect(await readHours()).toEqual([['2', 20]])
})

test('without the database, the age of each known ledger is unknown', async () => {
  await worker.stop()
  expect([...(await gauge.read())]).toEqual([['2', -1]])
})
