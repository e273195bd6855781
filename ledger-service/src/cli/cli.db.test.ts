import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fundWallet } from '../../test/support/linked.ts'
import { runCli } from '../../test/support/run-cli.ts'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { exportLog, verifyExport } from '../proofs/export.ts'

let ledger: TestLedger
let folder: string
let key: string
beforeAll(async () => {
  ledger = await startTestLedger()
  folder = await mkdtemp(join(tmpdir(), 'cairn-cli-'))
  await createFundedInvestor(ledger, { amountMinor: 12_500n })
  await ledger.ask('receipt', { seq: 1n })
  key = (await ledger.ask('checkpoint', {})).verifierKeys[0] ?? ''
})
afterAll(() => ledger.close())

describe('the command line', () => {
  test('proves an event with a receipt that verifies without the database', async () => {
    const proved = await runCli(ledger, 'prove', '1')
    expect(proved.code).toBe(0)
    const file = join(folder, 'one.tlog-proof')
    await writeFile(file, proved.out)
    const verified = await runCli(ledger, 'verify-receipt', file, '--key', key)
    expect(verified).toMatchObject({ code: 0, complaint: '' })
    expect(verified.out).toContain('verified: event 1')

    const [head = '', extra = '', ...rest] = proved.out.split('\n')
    const bytes = Buffer.from(extra.replace('extra ', ''), 'base64').toString('utf8')
    const forged = Buffer.from(bytes.replace('"12500"', '"12501"')).toString('base64')
    await writeFile(file, [head, `extra ${forged}`, ...rest].join('\n'))
    const refused = await runCli(ledger, 'verify-receipt', file, '--key', key)
    expect(refused.code).toBe(1)
    expect(refused.complaint).toContain('its content or its proof was changed')
  })

  test('exports a log that verifies offline; a changed export does not', async () => {
    const file = join(folder, 'log.jsonl')
    expect((await runCli(ledger, 'export', file)).code).toBe(0)
    expect(await runCli(ledger, 'verify-export', file, '--key', key)).toMatchObject({ code: 0 })
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('"category":null', '"category":"gift"'))
    const refused = await runCli(ledger, 'verify-export', file, '--key', key)
    expect(refused.code).toBe(1)
    expect(refused.complaint).toContain('differ from the signed events')
    await writeFile(file, text.split('\n').slice(0, 2).join('\n'))
    expect((await runCli(ledger, 'verify-export', file)).complaint).toContain(
      '2 events were signed',
    )
  })

  test('verify does not succeed for a ledger that is not there', async () => {
    const complaint = 'this database has no events of ledger 7\n'
    const verified = await runCli(ledger, 'verify', '--ledger', '7')
    expect(verified).toMatchObject({ code: 2, out: '', complaint })
    expect(await runCli(ledger, 'verify', '12')).toMatchObject({ code: 2, out: '' })
  })

  test('prints balances at any event', async () => {
    expect((await runCli(ledger, 'balance', 'adjustments', '--seq', '0')).out).toContain('0.00 USD')
    expect((await runCli(ledger, 'balance', 'adjustments')).out).toContain('-125.00 USD')
    const { code, out } = await runCli(ledger, 'trial-balance', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out).totals).toEqual({ adjustments: '-12500', balance: '12500' })
    const before = await runCli(ledger, 'balance', 'adjustments', '--at', '2020-01-01T00:00:00Z')
    expect(before.out).toContain('before the first event: 0.00 USD')
  })

  test('prints the balance of the events that were effective until a time', async () => {
    const printEffectiveBalance = (time: string) =>
      runCli(ledger, 'balance', 'adjustments', '--effective', time)
    const past = await printEffectiveBalance('2020-01-01T00:00:00Z')
    expect(past.out).toBe(
      'adjustments after event 1, effective until 2020-01-01T00:00:00Z: 0.00 USD\n',
    )
    expect((await printEffectiveBalance(new Date().toISOString())).out).toContain('-125.00 USD')
  })

  test('prints its usage when the arguments are wrong', async () => {
    for (const words of [
      ['nonsense'],
      ['prove', 'x'],
      ['balance'],
      ['find'],
      ['balance', 'a', '--at', 'b'],
      ['balance', 'a', '--effective', 'b'],
    ]) {
      expect((await runCli(ledger, ...words)).code).toBe(2)
    }
  })

  test('verifies only the events after the verified state', async () => {
    await runCli(ledger, 'verify')
    await createFundedInvestor(ledger, { amountMinor: 300n })
    const rest = await runCli(ledger, 'verify', '--since', '3', '--json')
    expect(rest.code).toBe(0)
    expect(JSON.parse(rest.out)).toMatchObject({ from: '2', events: '2', firstBadSeq: null })
    const all = JSON.parse((await runCli(ledger, 'verify', '--json')).out)
    expect(all.events).toBe('4')
  })

  test('an export leaves no partial file, and keeps a file that exists', async () => {
    const file = join(folder, 'kept.jsonl')
    await writeFile(file, 'of another command')
    const { code, complaint } = await runCli(ledger, 'export', file)
    expect(complaint).toContain('EEXIST')
    expect(code).toBe(2)
    expect(await readFile(file, 'utf8')).toBe('of another command')

    const partial = join(folder, 'partial.jsonl')
    const checkpoint = { size: 1_000_000n, note: '' }
    const log = { ledger: 1, file: partial, checkpoint, verifierKeys: [] }
    await expect(exportLog(ledger.pool, log)).rejects.toThrow('is missing; run verify')
    expect(existsSync(partial)).toBe(false)
  })

  test('exports a log that verifies although a reason contains line separators', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const reason = 'first line\u2028second line\u2029third line\u0085fourth line'
    const transactionId = createId(ledger.clock.now())
    const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason } as const
    const { event } = await requireRecorded(
      ledger.submit('FundWallet', { transactionId, investorId, ...gift }),
    )
    await ledger.ask('receipt', { seq: event.seq })
    const file = join(folder, 'separators.jsonl')
    expect((await runCli(ledger, 'export', file)).code).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('\u2028')
    expect(await verifyExport(file, { trustedKeys: [key] })).toMatchObject({
      events: event.seq + 1n,
    })
    const [header = '', first = ''] = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, `${header}\n${first.slice(0, 50)}\n`)
    await expect(verifyExport(file)).rejects.toThrow('event 0 is not valid JSON')
  })

  test('finds events by the external id of their commands', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const command = { ...fundWallet(investorId, 100n), externalId: 'INV 2026/17' }
    const [answer] = (await ledger.parts.writer.submit([command], 'interactive')) ?? []
    expect(answer).toMatchObject({ outcome: 'recorded' })
    const found = await runCli(ledger, 'find', 'INV 2026/17')
    expect(found).toMatchObject({ code: 0, complaint: '' })
    expect(found.out).toMatch(/^\d+ \S+ WalletFunded system:test\n$/)
    expect((await runCli(ledger, 'find', 'INV')).out).toBe('no event has this external id\n')
  })

  test('finds what a superuser changed, and names the first bad event', async () => {
    const untouched = await runCli(ledger, 'verify')
    expect(untouched).toMatchObject({ code: 0 })
    expect(untouched.out).toContain('no difference found')
    // The output lists a part as checked only if the verification compared this part.
    expect(untouched.out).toMatch(
      /^checked: .*rights of the schema.*refusal, decided again.*projections/m,
    )
    expect(untouched.out).toMatch(/^not checked: refusals of commands without.*checkpoint file/m)
    const change = `update ledger.event set actor = 'admin:nobody' where seq = 1`
    await tamper(ledger, () => ledger.runSql(change))
    const { code, out } = await runCli(ledger, 'verify')
    expect(code).toBe(1)
    expect(out).toContain('the first bad event is 1')
    expect(out).toContain('event 1: a column differs from the bytes')
  })
})
