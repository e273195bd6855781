import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'

const LOG_TABLES = ['event', 'posting', 'refusal', 'subtree', 'trial_balance']

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
  await createFundedInvestor(ledger, { amountMinor: 100n })
})
afterAll(() => ledger.close())

test('the service role has no right to change the log, and triggers refuse every role', async () => {
  const service = new pg.Client({ connectionString: ledger.database.urlFor('cairn_ledger') })
  await service.connect()
  for (const table of LOG_TABLES) {
    for (const statement of [
      `update ledger.${table} set ledger_id = 2`,
      `delete from ledger.${table}`,
      `truncate ledger.${table}`,
      `alter table ledger.${table} disable trigger all`,
    ]) {
      await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' })
    }
    for (const statement of [
      `update ledger.${table} set ledger_id = 2`,
      `delete from ledger.${table}`,
      `truncate ledger.${table}`,
      `set session_replication_role = replica; delete from ledger.${table}`,
    ]) {
      await expect(ledger.runSql(statement)).rejects.toThrow('the log is append-only')
    }
  }
  await service.end()
})

test('a posting out of balance is refused by the database itself', async () => {
  const insert = `insert into ledger.posting
    (ledger_id, account, seq, leg, amount_minor, balance_after_minor)
    values (1, 'reserve', 99, 0, 5, 5)`
  await expect(ledger.runSql(insert)).rejects.toThrow('do not add up to zero')
  await ledger.runSql('alter table ledger.posting disable trigger posting_zero_sum')
  await ledger.runSql(insert)
  const { problems } = await ledger.ask('check', {})
  expect(problems.join('\n')).toContain('event 99: its postings do not add up to zero')
})

test('postings that are in balance only across assets are refused, and named by the check', async () => {
  await ledger.runSql('alter table ledger.posting enable always trigger posting_zero_sum')
  const insert = `insert into ledger.posting
    (ledger_id, account, seq, leg, amount_minor, balance_after_minor)
    values (1, 'reserve', 98, 0, -5, -5), (1, 'reserve@EUR/2', 98, 1, 5, 5)`
  await expect(ledger.runSql(insert)).rejects.toThrow('do not add up to zero')
  await ledger.runSql('alter table ledger.posting disable trigger posting_zero_sum')
  await ledger.runSql(insert)
  const { problems } = await ledger.ask('check', {})
  expect(problems.join('\n')).toContain('event 98: its postings do not add up to zero')
  expect(problems).toContain('the postings of all events in EUR/2 add up to 5')
})

test('the check names a change that a superuser makes after disabling the triggers', async () => {
  await ledger.runSql('alter table ledger.event disable trigger event_append_only')
  await ledger.runSql(`update ledger.event set bytes = convert_to(replace(
    convert_from(bytes, 'UTF8'), '"amountMinor":"100"', '"amountMinor":"999"'), 'UTF8')
    where type = 'WalletFunded'`)
  const { problems } = await ledger.ask('check', {})
  expect(problems).toContain('event 1: the leaf hash is not the hash of the bytes')
})
