import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openKeys, openTrialBalance } from '@cairn/ledger-contracts/proof'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startHttpLedgers } from '../../test/support/http-ledgers.ts'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { startJobs } from '../service/jobs/boss.ts'
import { startMonthEnds } from '../service/jobs/month-ends.ts'

const log = pino({ level: 'silent' })
let ledger: TestLedger
beforeEach(async () => {
  ledger = await startTestLedger()
})
afterEach(() => ledger.close())

const setClock = (time: string) => ledger.clock.set(Date.parse(time))

/** Funds 125.00 in August, nothing in September and 3.00 in October. */
async function openBooks(): Promise<void> {
  setClock('2026-08-31T23:59:00.000Z')
  await createFundedInvestor(ledger, { amountMinor: 12_500n })
  setClock('2026-10-01T00:00:00.000Z')
  await createFundedInvestor(ledger, { amountMinor: 300n })
  setClock('2026-10-02T00:00:00.000Z')
}

async function listTrialBalances() {
  return ledger.ask('trialBalances', { before: null, limit: 12 })
}

function getFile(month: string): string {
  return join(ledger.signing.checkpointDir, `ledger-1-${month}.txt`)
}

/** Runs the command with the read-only role, as auditors do. */
function runCli(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../cli.ts'), ...args], {
    env: { PATH: process.env.PATH, LEDGER_DATABASE_URL: ledger.database.urlFor('cairn_auditor') },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })))
}

test('each ended month is signed once with its last balances, and verifies with the public key', async () => {
  expect(await ledger.parts.closeMonths()).toEqual([])
  await openBooks()
  expect(await ledger.parts.closeMonths()).toEqual(['2026-08', '2026-09'])
  expect(await ledger.parts.closeMonths()).toEqual([])
  setClock('2026-11-01T00:00:30.000Z')
  expect(await ledger.parts.closeMonths()).toEqual([])
  setClock('2026-11-01T00:01:01.000Z')
  const both = await Promise.all([ledger.parts.closeMonths(), ledger.parts.closeMonths()])
  expect(both).toContainEqual(['2026-10'])

  const { trialBalances, verifierKeys } = await listTrialBalances()
  expect(trialBalances.map(({ month, size }) => [month, size])).toEqual([
    // The events of August and September were recorded in October.
    ['2026-10', 6n],
    ['2026-09', 2n],
    ['2026-08', 2n],
  ])
  const keys = openKeys(verifierKeys)
  for (const { month, note, size } of trialBalances) {
    expect(await readFile(getFile(month), 'utf8')).toBe(note)
    const opened = await openTrialBalance(note, keys)
    const minor = month === '2026-10' ? 12_800n : 12_500n
    expect(opened).toMatchObject({ month, checkpoint: { size, origin: 'cairn.test/ledger/1' } })
    expect(Object.fromEntries(opened.totals)).toEqual({ adjustments: -minor, balance: minor })
    const head = await ledger.ask('head', { size })
    expect(Buffer.from(opened.checkpoint.root).toString('hex')).toBe(head.root)
  }
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('no changed amount, month or sum verifies', async () => {
  await openBooks()
  await ledger.parts.closeMonths()
  const { trialBalances, verifierKeys } = await listTrialBalances()
  const keys = openKeys(verifierKeys)
  const note = trialBalances[0]?.note ?? ''
  for (const forged of [
    note.replaceAll('12500', '12501'),
    note.replace('trial-balance 2026-09', 'trial-balance 2026-08'),
  ]) {
    await expect(openTrialBalance(forged, keys)).rejects.toThrow('does not match the checkpoint')
  }
  const checkpoint = await ledger
    .ask('receipt', { seq: 0n })
    .then(() => ledger.ask('checkpoint', {}))
  await expect(openTrialBalance(checkpoint.checkpoint?.note ?? '', keys)).rejects.toThrow(
    'not the trial balance of a month',
  )
})

test('a month interrupted after its file is finished by the next run, which refuses another file', async () => {
  await openBooks()
  await ledger.parts.closeMonths()
  const august = await readFile(getFile('2026-08'), 'utf8')
  await ledger.runSql('alter table ledger.trial_balance disable trigger all')
  await ledger.runSql('delete from ledger.trial_balance')
  await rm(getFile('2026-09'))
  expect(await ledger.parts.closeMonths()).toEqual(['2026-08', '2026-09'])
  expect((await listTrialBalances()).trialBalances.at(-1)?.note).toBe(august)

  await ledger.runSql('delete from ledger.trial_balance')
  await writeFile(getFile('2026-08'), august.replaceAll('12500', '12400'))
  await expect(ledger.parts.closeMonths()).rejects.toThrow('differs from the log')
})

test('a month whose file has only the beginning of its note is signed by the next run', async () => {
  await openBooks()
  await ledger.parts.closeMonths()
  const files = ['2026-08', '2026-09'].map(getFile)
  const notes = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  await ledger.runSql('alter table ledger.trial_balance disable trigger all')
  await ledger.runSql('delete from ledger.trial_balance')
  // A full disk left these files in a release that wrote them in place.
  await writeFile(files[0] ?? '', '')
  await writeFile(files[1] ?? '', notes[1]?.slice(0, 60) ?? '')
  expect(await ledger.parts.closeMonths()).toEqual(['2026-08', '2026-09'])
  expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(notes)
})

test('the command line prints the trial balance, and detects a log that was changed since', async () => {
  await openBooks()
  await ledger.parts.closeMonths()
  const good = await runCli('trial-balance', '--month', '2026-08')
  expect(good).toMatchObject({ code: 0 })
  expect(good.out).toContain('trial-balance 2026-08\nadjustments -12500\nbalance 12500\n')
  expect(good.out).toContain('the log matches this trial balance')
  expect(await runCli('trial-balance', '--month', '2026-07')).toMatchObject({ code: 2 })
  await ledger.runSql('alter table ledger.posting disable trigger all')
  await ledger.runSql('update ledger.posting set amount_minor = amount_minor * 2 where seq = 1')
  expect(await runCli('trial-balance', '--month', '2026-08')).toMatchObject({ code: 1 })
})

test.each([
  ['note', `replace(note, '12500', '12400')`, /trial balance of 2026-08: the signature/],
  ['size', 'size + 1', /trial balance of 2026-08 differs from the sums of the first 3 events/],
  ['size beyond the log', 'size + 9', /11 events was signed/],
  ['month', `case month when '2026-08' then '2026-07' else month end`, /of 2026-07 differs/],
])('an edit of the %s of a signed month by a superuser is detected', async (name, value, said) => {
  await openBooks()
  await ledger.parts.closeMonths()
  expect((await ledger.ask('check', {})).problems).toEqual([])
  const column = name.split(' ')[0]
  await ledger.runSql('alter table ledger.trial_balance disable trigger all')
  await ledger.runSql(
    `update ledger.trial_balance set ${column} = ${value} where month = '2026-08'`,
  )
  expect((await ledger.ask('check', {})).problems.join()).toMatch(said)
})

test('the deletion of a signed month by a superuser is detected', async () => {
  await openBooks()
  setClock('2026-11-02T00:00:00.000Z')
  await ledger.parts.closeMonths()
  const deletion = `delete from ledger.trial_balance where month = '2026-09'`
  await tamper(ledger, () => ledger.runSql(deletion))
  expect((await ledger.ask('check', {})).problems).toEqual([
    'the trial balance of 2026-09 is missing',
  ])
})

test('the worker closes months automatically, and a second run changes nothing', async () => {
  const service = await startHttpLedgers()
  const own = await service.open()
  own.ledger.clock.set(Date.parse('2026-09-30T12:00:00.000Z'))
  await createFundedInvestor(own.ledger, { amountMinor: 100n })
  own.ledger.clock.set(Date.parse('2026-10-02T12:00:00.000Z'))
  const databaseUrl = own.ledger.database.urlFor('cairn_ledger_worker')
  const boss = await startJobs({ databaseUrl, log })
  await startMonthEnds({ boss, ledgers: [own.client], log })
  await boss.send('proofs.close-months', {})
  await expect
    .poll(() => own.client.ask('trialBalances', { before: null, limit: 5 }))
    .toMatchObject({ trialBalances: [{ month: '2026-09', size: 2n }] })
  await boss.stop({ graceful: true, timeout: 5_000 })
  await own.close()
  await service.close()
})
