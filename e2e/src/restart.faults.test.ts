import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeTreeHead, readBooks } from './books.ts'
import { runLedger } from './intruder.ts'
import { type Platform, startPlatform } from './platform.ts'

const STOP_MS_MAX = chooseTimeLimit(10_000)
const SECOND_START_MS_MAX = chooseTimeLimit(20_000)
const BY_THEMSELVES = [
  'ProfitAccrued',
  'InvestmentMatured',
  'ApproverAdded',
  'AuditSealed',
  'MonthClosed',
]

let platform: Platform
beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform.remove())

test('Ctrl-C ends everything, and the second start finds the same data', async () => {
  const before = await readBooks(platform)
  expect(before.size).toBeGreaterThan(100)
  const { tookMs, exitCode } = await platform.interrupt()
  expect(exitCode).toBe(0)
  expect(tookMs).toBeLessThan(STOP_MS_MAX)
  await expect(fetch(platform.url)).rejects.toThrow()

  // The log of a stopped platform can be verified, for example if its ledger refuses to start.
  const verified = await runLedger(platform, ['verify'])
  expect(verified.output).toContain('no difference found')
  expect(verified.code).toBe(0)

  const beganAt = Date.now()
  platform = await platform.startAgain()
  const readyMs = Date.now() - beganAt
  expect(readyMs).toBeLessThan(SECOND_START_MS_MAX)

  const after = await readBooks(platform)
  // The old log must be a prefix of the new log. The first events of the new log must therefore
  // have the root of the old log.
  expect(after.size).toBeGreaterThanOrEqual(before.size)
  expect(computeTreeHead(after.leaves.slice(0, before.size)).toString('hex')).toBe(before.root)
  expect(computeTreeHead(after.leaves).toString('hex')).toBe(after.root)

  const expected = new Map(before.balances)
  for (const { type, postings } of after.events.slice(before.size)) {
    expect(BY_THEMSELVES).toContain(type)
    for (const [account, minor] of postings) {
      expected.set(account, (expected.get(account) ?? 0n) + minor)
    }
  }
  expect(new Map([...after.balances].sort())).toEqual(new Map([...expected].sort()))
  process.stdout.write(`stopped in ${tookMs} ms, ready again in ${readyMs} ms\n`)
})
