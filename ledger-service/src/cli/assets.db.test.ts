import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../test/support/run-cli.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'

const TRIAL_BALANCE = [
  'balance     125.000 KWD',
  'adjustments -125.000 KWD',
  'sum         0.000 KWD',
  'cash        -0.00012345 BTC',
  'reserve     0.00012345 BTC',
  'sum         0.00000000 BTC',
].join('\n')

let ledger: TestLedger
let folder: string
beforeAll(async () => {
  ledger = await startTestLedger()
  folder = await mkdtemp(join(tmpdir(), 'cairn-assets-'))
  await requireRecorded(ledger.submit('ChooseCurrency', { asset: 'KWD/3' }))
  await createFundedInvestor(ledger, { amountMinor: 125_000n })
  const movement = { asset: 'BTC/8', from: 'cash:wallet', to: 'reserve', note: null } as const
  const { event } = await requireRecorded(
    ledger.submit('MoveAsset', { ...movement, amountMinor: 12_345n }),
  )
  await ledger.ask('receipt', { seq: event.seq })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await ledger.close()
})

test('the trial balance shows each asset with its decimals and its sum', async () => {
  const { code, out } = await runCli(ledger, 'trial-balance')
  expect(out).toBe(`after event 3\n${TRIAL_BALANCE}\n`)
  expect(code).toBe(0)
  const printed = JSON.parse((await runCli(ledger, 'trial-balance', '--json')).out)
  expect(printed).toMatchObject({ currency: 'KWD/3', totals: { 'cash@BTC/8': '-12345' } })
})

test('a balance has the decimals of its asset', async () => {
  const { out } = await runCli(ledger, 'balance', 'cash:wallet@BTC/8')
  expect(out).toBe('cash:wallet@BTC/8 after event 3: -0.00012345 BTC\n')
  expect((await runCli(ledger, 'balance', 'adjustments')).out).toContain(': -125.000 KWD')
})

test('an export shows the assets without the database', async () => {
  const file = join(folder, 'log.jsonl')
  expect((await runCli(ledger, 'export', file)).code).toBe(0)
  const { code, out } = await runCli(ledger, 'verify-export', file)
  expect(out).toContain(TRIAL_BALANCE)
  expect(code).toBe(0)
})
