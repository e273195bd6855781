import { type Answer, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPEATABLE_TYPES, scenes } from '../../test/support/scenes.ts'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { modelVersionTable } from '../domain/model-version/activation.ts'
import { getColumnName, getKey, getSqlType, type Table } from '../log/table.ts'
import { foldLog } from './fold.ts'
import { createFoldedRows } from './folded-rows.ts'
import { replayLog } from './replay.ts'
import { computeFoldedStateRoot, computeStoredStateRoot } from './state-root.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
  const nowMs = ledger.clock.now()
  ledger.clock.set(nowMs - 40 * DAY_MS)
  await requireRecorded(ledger.submit('ChooseCurrency', await scenes.ChooseCurrency(ledger)))
  ledger.clock.set(nowMs)
  await ledger.parts.closeMonths()
  await requireRecorded(ledger.submit('ImportBalance', await scenes.ImportBalance(ledger)))
  // One administrator may fund the reserve alone, because no approver was added yet.
  const reserve = { transactionId: createId(Date.now()), amountMinor: 100n, note: null }
  await requireRecorded(ledger.submit('FundReserve', reserve, { actor: 'admin:ada' }))
  for (const type of REPEATABLE_TYPES) {
    const data = await scenes[type](ledger)
    const answer = await ledger.submit(type, data as never, { actor: 'system:server' })
    expect(`${type} ${answer.outcome}`).toBe(`${type} recorded`)
  }
})
afterAll(() => ledger?.close())

const check = async () => (await ledger.ask('check', {})).problems

/**
 * Replays the log, which is the only part of a verification that finds a changed projection. A
 * whole verification per column would take too long, because there are many columns.
 */
async function replay(): Promise<readonly string[]> {
  const [client, refusalClient] = await Promise.all([ledger.pool.connect(), ledger.pool.connect()])
  try {
    const { rows } = await client.query<{ size: bigint }>('select size from ledger.head')
    const size = rows[0]?.size ?? 0n
    await client.query('begin isolation level repeatable read read only')
    const problems = await replayLog({ client, refusalClient }, { ledger: 1, size, model })
    await client.query('commit')
    return problems.map(({ problem }) => problem)
  } finally {
    client.release()
    refusalClient.release()
  }
}

/** Returns an SQL expression for a value that differs from the stored value of the column. */
function chooseOtherValue(table: Table, property: string): string {
  const column = table.columns[property]
  const name = getColumnName(property)
  if (Array.isArray(column)) {
    return `(array(select value from unnest(array['${column.join("','")}']) as value
      where value <> ${name}))[1]`
  }
  switch (getSqlType(column as never)) {
    case 'text':
      return `coalesce(${name}, '') || 'x'`
    case 'bool':
      return `not ${name}`
    case 'timestamptz':
      return `coalesce(${name}, now()) + interval '1 millisecond'`
    default:
      return `coalesce(${name}, 0) + 1`
  }
}

// activate-model.db.test.ts covers the table of the model version.
const COVERED = model.tables.filter((table) => table !== modelVersionTable)
const COLUMNS = COVERED.flatMap((table) =>
  Object.keys(table.columns)
    .filter((property) => property !== table.key)
    .map((property) => [table.name, property, table] as const),
)

test('a log with an event of each kind has no problems', async () => {
  expect(await check()).toEqual([])
})

describe('an event that does not repeat a part of its command has no problem', () => {
  const activate = (investorId: string, referrerId: string | null) =>
    requireRecorded(ledger.submit('ActivateInvestor', { investorId, referrerId }))

  test('if the referrer is unknown, or the investor was suspended before', async () => {
    const referrerId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const [unknown, denied] = [createId(Date.now()), createId(Date.now())]
    await activate(unknown, createId(Date.now()))
    const suspension = { investorId: denied, standing: 'denied' } as const
    await requireRecorded(ledger.submit('SuspendInvestor', suspension))
    await activate(denied, referrerId)
    const referred = createId(Date.now())
    await activate(referred, referrerId)
    const pause = { investorId: referred, standing: 'deactivated' } as const
    await requireRecorded(ledger.submit('SuspendInvestor', pause))
    await activate(referred, null)
    expect(await replay()).toEqual([])
  })

  test('if an accrual has a time of its own', async () => {
    const { investmentId } = await scenes.AccrueThrough(ledger)
    const effectiveAt = new Date(ledger.clock.now() - 1_000).toISOString()
    await requireRecorded(
      ledger.submit('AccrueThrough', { investmentId, units: 1 }, { effectiveAt }),
    )
    expect(await replay()).toEqual([])
  })

  test('if a plan names the version that was edited, and an investment names no version', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 1_000_000n })
    const planId = createId(ledger.clock.now())
    const define = (seen?: number) =>
      ledger.submit(
        'DefinePlan',
        { planId, terms: plan30Days, ...(seen !== undefined && { seen }) },
        { actor: 'system:server' },
      )
    await requireRecorded(define())
    await requireRecorded(define(1))
    const investmentId = createId(ledger.clock.now())
    const purchase = { investmentId, investorId, planId, planVersion: null, amountMinor: 50_000n }
    await requireRecorded(ledger.submit('OpenInvestment', purchase))
    expect(await replay()).toEqual([])
  })
})

test('the root of the stored state is the root of the replayed state, with rows of each kind', async () => {
  const salt = Buffer.alloc(32, 7)
  const { tables } = model
  const { size } = await ledger.ask('head', { size: null })
  const client = await ledger.pool.connect()
  using rows = createFoldedRows(tables)
  try {
    await client.query('begin isolation level repeatable read read only')
    await foldLog(client, { ledger: 1, size, model, rows })
    const stored = await computeStoredStateRoot(client, { ledger: 1, tables, salt })
    expect(computeFoldedStateRoot(rows, { tables, salt })).toEqual(stored)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

describe('a change of one column of a projection by a superuser', () => {
  test.each(COLUMNS)('in %s.%s is detected', async (name, property, table) => {
    const column = getColumnName(property)
    const where = `ctid = (select ctid from ledger.${name} where ledger_id = 1 limit 1)`
    const [before] = await ledger.runSql<{ key: string; value: unknown }>(
      `select ${column}::text as value, ${
        table.key ? `${getColumnName(table.key)}::text` : `''`
      } as key from ledger.${name} where ${where}`,
    )
    if (before === undefined) throw new Error(`no event has created a row of ${name}`)
    const byKey = table.key
      ? `ledger_id = 1 and ${getColumnName(table.key)}::text = '${before.key}'`
      : 'ledger_id = 1'
    const constraints = await ledger.runSql<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = 'ledger.${name}'::regclass and contype = 'c'`,
    )
    // A superuser can set a value that a check constraint forbids.
    for (const one of constraints) {
      await ledger.runSql(`alter table ledger.${name} drop constraint ${one.name}`)
    }
    await ledger.runSql(
      `update ledger.${name} set ${column} = ${chooseOtherValue(table, property)} where ${byKey}`,
    )
    expect((await replay()).join('\n')).toContain(
      `${name} ${getKey(table, { [table.key ?? '']: before.key })} differs from the log`,
    )
    const type = getSqlType(table.columns[property] as never)
    await ledger.runSql(`update ledger.${name} set ${column} = $1::${type} where ${byKey}`, [
      before.value,
    ])
    for (const one of constraints) {
      await ledger.runSql(`alter table ledger.${name} add constraint ${one.name} ${one.definition}`)
    }
  })
})

describe('a projection that a superuser changed, used and restored', () => {
  let investorId: string
  let investmentId: string
  beforeAll(async () => {
    investorId = await createFundedInvestor(ledger, { amountMinor: 1_000_000n })
    const planId = createId(ledger.clock.now())
    await ledger.submit('DefinePlan', { planId, terms: plan30Days }, { actor: 'system:server' })
    investmentId = createId(ledger.clock.now())
    const purchase = { investmentId, investorId, planId, planVersion: null, amountMinor: 50_000n }
    await requireRecorded(ledger.submit('OpenInvestment', purchase))
    expect(await check()).toEqual([])
  })

  /** The new writer has no cached rows, so it reads the changed row. */
  async function record(change: string, submit: () => Promise<Answer>): Promise<bigint> {
    await ledger.parts.stop()
    await ledger.runSql(change)
    ledger = await reopen()
    return (await requireRecorded(submit())).event.seq
  }

  async function restore(change: string): Promise<void> {
    await ledger.parts.stop()
    await ledger.runSql(change)
    ledger = await reopen()
  }

  const changePromisedProfit = (minor: string) =>
    `update ledger.investment set promised_minor = promised_minor ${minor}
     where investment_id = '${investmentId}'`

  test('is detected by the event that was recorded in between', async () => {
    const seq = await record(changePromisedProfit('* 2'), () => {
      ledger.clock.set(ledger.clock.now() + 10 * DAY_MS)
      return ledger.submit('AccrueThrough', { investmentId, units: 1 })
    })
    await restore(changePromisedProfit('/ 2'))
    expect(await check()).toEqual([
      expect.stringContaining(`event ${seq}: gives a different event when it is decided again`),
    ])
  })

  test('is detected if a withdrawal was approved for another bank account', async () => {
    const { transactionId, ...approval } = await scenes.ApproveWithdrawal(ledger)
    const changeAccount = (hash: string) =>
      `update ledger.transaction set bank_account_sha256 = '${hash}'
       where transaction_id = '${transactionId}'`
    const bankAccountSha256 = 'c'.repeat(64)
    const seq = await record(changeAccount(bankAccountSha256), () =>
      ledger.submit('ApproveWithdrawal', { ...approval, transactionId, bankAccountSha256 }),
    )
    await restore(changeAccount(approval.bankAccountSha256))
    expect((await check()).join('\n')).toContain(
      `event ${seq}: was recorded for a different command`,
    )
  })

  test('is detected if a reversal was booked to another cash account', async () => {
    const { transactionId, ...approval } = await scenes.ApproveDeposit(ledger)
    await requireRecorded(ledger.submit('ApproveDeposit', { transactionId, ...approval }))
    const seq = await record(
      `update ledger.transaction set payment_option_id = 'other-bank'
       where transaction_id = '${transactionId}'`,
      () =>
        ledger.submit('ReverseDeposit', {
          transactionId,
          to: 'declined',
          paymentOptionId: null,
          reason: 'a mistake',
        }),
    )
    expect((await check()).join('\n')).toContain(
      `event ${seq}: gives a different event when it is decided again`,
    )
  })
})

/** Opens the same database with a new writer, whose memory is empty. */
async function reopen(): Promise<TestLedger> {
  const { database, close } = ledger
  const next = await startTestLedger({ database })
  return {
    ...next,
    close: async () => {
      await next.close()
      await close()
    },
  }
}

const SCHEMA: readonly (readonly [what: string, change: string, undo: string, said: RegExp])[] = [
  [
    'the body of the append-only trigger',
    `create or replace function ledger.refuse_change() returns trigger language plpgsql as
     $$ begin return null; end $$`,
    '',
    /unexpected definition: function refuse_change\(\).*body\s+begin return null/,
  ],
  [
    'the floor of balances',
    'alter table ledger.balance drop constraint balance_floor_check',
    '',
    /lacks the definition: constraint balance balance_floor_check/,
  ],
  [
    'a right of the service',
    'grant delete on ledger.event to cairn_ledger',
    'revoke delete on ledger.event from cairn_ledger',
    /unexpected definition: right table event cairn_ledger DELETE/,
  ],
  [
    'a trigger',
    'alter table ledger.event disable trigger event_append_only',
    'alter table ledger.event enable always trigger event_append_only',
    /lacks the definition: trigger enabled A CREATE TRIGGER event_append_only/,
  ],
]

describe('a change of the schema by a superuser', () => {
  test.each(SCHEMA)('%s is detected', async (_what, change, undo, said) => {
    await ledger.runSql(change)
    const problems = (await check()).filter((problem) => problem.startsWith('the schema'))
    if (undo !== '') await ledger.runSql(undo)
    expect(problems.join('\n')).toMatch(said)
  })
})

test('a subtree that a superuser added is detected', async () => {
  await tamper(ledger, () =>
    ledger.runSql(
      `insert into ledger.subtree (ledger_id, level, idx, hash) values (1, 30, 0, sha256('x'))`,
    ),
  )
  expect((await check()).join('\n')).toMatch(/subtree 30\/0/)
})
