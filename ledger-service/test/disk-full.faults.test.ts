import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { chooseTimeLimit, JUDGES_TIMES } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'
import { FORGETFUL, takingSilenceForCommit } from './support/wrapped-store.ts'

const SIZE = '512m'
const CHUNK = Buffer.alloc(64 * 1024, 1)
const CLIENTS = 64
/** The payments that are acknowledged before the disk is full. */
const ACKNOWLEDGED_MIN = JUDGES_TIMES ? 50_000 : 5_000
/** The time from free space to the next acknowledged payment. */
const HEALED_MS_MAX = chooseTimeLimit(30_000)
/** The time within which waiting callers must receive the answer that nothing was recorded. */
const TOLD_MS_MAX = chooseTimeLimit(30_000)

const folder = mkdtempSync(join(tmpdir(), 'cairn-full-'))
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status === 0

let postgres: CrashablePostgres
beforeAll(async () => {
  if (!isMounted) return
  postgres = await startCrashablePostgres({
    folder: join(folder, 'server'),
    settings: { max_wal_size: '64MB' },
  })
})
afterAll(async () => {
  await postgres?.drop()
  if (isMounted) spawnSync('umount', ['-l', folder])
  await rm(folder, { recursive: true, force: true })
})

// The test mounts a file system, which needs root and a kernel that permits it.
describe.skipIf(!isMounted)('a full disk', () => {
  const reason = 'the files of this server cannot lie on a disk of the test'

  test('stops the writing, and nothing acknowledged is lost', async ({ skip, task }) => {
    skip(!postgres.dataDir.startsWith(folder), reason)
    const ledger = await startTestLedger({ database: postgres.database })
    const run = await fundWhileDiskIsFull(ledger, TOLD_MS_MAX)
    expect(run.failed).toBeGreaterThan(0)
    expect(run.duringFull).toBeLessThan(run.acknowledged)
    expect(run).toMatchObject({ lost: 0, problems: [] })
    expect(run.afterwards).toBeGreaterThan(0)
    expect(run.healedMs).toBeLessThan(HEALED_MS_MAX)
    const seconds = (run.healedMs / 1_000).toFixed(1)
    const counted = `${run.acknowledged} acknowledged, ${run.failed} failed, 0 lost`
    recordFigure(task, `${counted}; writes again after ${seconds} s`)
    await ledger.close()
  })

  test('sabotaged twin: a full disk that counts as a commit loses commands', async ({
    skip,
    task,
  }) => {
    skip(!postgres.dataDir.startsWith(folder), reason)
    const wrapStore = takingSilenceForCommit
    const ledger = await startTestLedger({
      database: postgres.database,
      wrapStore,
      answered: FORGETFUL,
    })
    const run = await fundWhileDiskIsFull(ledger, 1_000)
    expect(run.lost).toBeGreaterThan(0)
    recordFigure(task, `${run.lost} of ${run.acknowledged} lost`)
    await ledger.close()
  })
})

async function fundWhileDiskIsFull(ledger: TestLedger, toldMsMax: number) {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: 'x'.repeat(100) }
  const acknowledged = new Map<string, bigint>()
  const state = { isRunning: true, failed: 0 }

  async function fundInLoop(): Promise<void> {
    while (state.isRunning) {
      const transactionId = createId(Date.now())
      const data = { ...gift, wallet: 'balance', transactionId, investorId } as const
      const answer = await ledger.submit('FundWallet', data, { key: transactionId })
      if (answer.outcome === 'recorded') acknowledged.set(transactionId, answer.event.seq)
      else state.failed += 1
    }
  }

  const clients = Array.from({ length: CLIENTS }, fundInLoop)
  while (acknowledged.size < ACKNOWLEDGED_MIN) await delay(20)
  const ballast = join(folder, 'ballast')
  for (let isFull = false; !isFull; ) {
    try {
      appendFileSync(ballast, CHUNK)
    } catch {
      isFull = true
    }
  }
  const before = acknowledged.size
  for (let ms = 0; state.failed === 0 && ms < toldMsMax; ms += 100) await delay(100)
  const duringFull = acknowledged.size - before
  await rm(ballast)
  const freedAt = performance.now()

  if (!(await waitUntilReachable(ledger))) await postgres.start()
  const full = acknowledged.size
  while (acknowledged.size === full && performance.now() - freedAt < HEALED_MS_MAX) await delay(50)
  const healedMs = performance.now() - freedAt
  state.isRunning = false
  await Promise.all(clients)
  const rows = await ledger.runSql<{ id: string; seq: string }>(
    `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id, seq
     from ledger.event where type = 'WalletFunded'`,
  )
  const stored = new Map(rows.map(({ id, seq }) => [id, BigInt(seq)]))
  const lost = [...acknowledged].filter(([id, seq]) => stored.get(id) !== seq).length
  const { problems } = await ledger.ask('check', {})
  const afterwards = acknowledged.size - full
  const { failed } = state
  const { size } = acknowledged
  return { acknowledged: size, duringFull, afterwards, healedMs, failed, lost, problems }
}

async function waitUntilReachable(ledger: TestLedger): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const isUp = await ledger.runSql('select 1').then(
      () => true,
      () => false,
    )
    if (isUp) return true
    await delay(200)
  }
  return false
}
