import type { DataOf } from '@cairn/ledger-contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { readClosedMonths } from './closed-months.ts'
import { closeMonths } from './month-end.ts'
import { computeStoredStateRoot } from './state-root.ts'

type ClosedMonth = DataOf<'CloseMonth'>

const OTHER_HASH = '0'.repeat(64)

let ledger: TestLedger
let investorId: string
beforeEach(async () => {
  ledger = await startTestLedger()
  setClock('2026-08-31T23:59:00.000Z')
  investorId = await createFundedInvestor(ledger, { amountMinor: 12_500n })
  setClock('2026-09-02T00:00:00.000Z')
})
afterEach(() => ledger.close())

const setClock = (time: string) => ledger.clock.set(Date.parse(time))
const readMonths = () => readClosedMonths(ledger.pool, { ledger: 1 })

async function listProblems(): Promise<readonly string[]> {
  return (await ledger.ask('check', {})).problems
}

test('an ended month is an event with the sums of its end and the root of the state', async () => {
  // This event was recorded after the end of August. The event that closes August therefore
  // includes it in the root of the state but not in the sums.
  await createFundedInvestor(ledger, { amountMinor: 300n })
  await ledger.parts.closeMonths()
  await ledger.parts.closeMonths()
  const [closed, ...others] = await readMonths()
  expect(others).toEqual([])
  expect(closed).toMatchObject({ seq: 4n, month: '2026-08', size: 2n, state: { size: 4n } })
  expect(Object.fromEntries(closed?.totals ?? [])).toEqual({
    adjustments: -12_500n,
    balance: 12_500n,
  })
  expect(closed?.root).toBe((await ledger.ask('head', { size: 2n })).root)
  expect(await listProblems()).toEqual([])
})

test('a month that was signed before a crash is recorded by the next call', async () => {
  const closing = closeMonths({
    ...ledger.signing,
    ledger: 1,
    pool: ledger.pool,
    clock: ledger.clock,
    tables: model.tables,
    submit: () => Promise.reject(new Error('the writer has stopped')),
  })
  await expect(closing).rejects.toThrow('the writer has stopped')
  expect(await readMonths()).toEqual([])
  expect(await ledger.parts.closeMonths()).toEqual([])
  expect(await readMonths()).toMatchObject([{ month: '2026-08' }])
})

/** Creates the command that closes August now, as an honest ledger does. */
async function createCommand(): Promise<ClosedMonth> {
  const { size, root } = await ledger.ask('head', { size: null })
  const salt = Buffer.alloc(32, 7)
  const client = await ledger.pool.connect()
  const stateRoot = await computeStoredStateRoot(client, { ledger: 1, tables: model.tables, salt })
  client.release()
  return {
    month: '2026-08',
    size: Number(size),
    root,
    totals: { adjustments: -12_500n, balance: 12_500n },
    state: { size: Number(size), salt: salt.toString('hex'), root: stateRoot.toString('hex') },
  }
}

test.each<[string, (honest: ClosedMonth) => Partial<ClosedMonth>, RegExp | null]>([
  ['nothing', () => ({}), null],
  [
    'the root',
    () => ({ root: OTHER_HASH }),
    /event 2: names a root that differs from the log at the end of 2026-08/,
  ],
  [
    'the sums',
    () => ({ totals: { adjustments: -12_400n, balance: 12_400n } }),
    /event 2: names sums for 2026-08/,
  ],
  ['the size', () => ({ size: 1 }), /event 2: names a root that differs/],
  [
    'the root of the state',
    ({ state }) => ({ state: { ...state, root: OTHER_HASH } }),
    /event 2: closes 2026-08 with a root that differs from the state after 2 events/,
  ],
  [
    'the salt of the state',
    ({ state }) => ({ state: { ...state, salt: OTHER_HASH } }),
    /event 2: closes 2026-08 with a root that differs from the state/,
  ],
  [
    'a state that does not exist yet',
    ({ state }) => ({ state: { ...state, size: 3 } }),
    /event 2: contains the root of a state that is newer than the event/,
  ],
])('a ledger that changes %s in the event of a month is detected', async (_, change, problem) => {
  const honest = await createCommand()
  const data = { ...honest, ...change(honest) }
  await requireRecorded(ledger.submit('CloseMonth', data, { actor: 'system:ledger' }))
  // An honest ledger signs the trial balance first.
  const unsigned = 'the trial balance of 2026-08 is missing'
  if (problem === null) expect(await listProblems()).toEqual([unsigned])
  else expect((await listProblems()).join()).toMatch(problem)
})

test('a month that was signed while the times of its events were changed is detected', async () => {
  const moveTime = (by: string) =>
    tamper(ledger, () =>
      ledger.runSql(`update ledger.event set recorded_at = recorded_at ${by} where seq = 1`),
    )
  await moveTime(`+ interval '1 day'`)
  expect(await ledger.parts.closeMonths()).toEqual(['2026-08'])
  await moveTime(`- interval '1 day'`)
  expect(await readMonths()).toMatchObject([{ size: 1n }])
  expect(await listProblems()).toEqual([
    'the end of 2026-08 after 1 events: an event after it is of this month',
  ])
})

test('a month that was signed with events of the next month is detected', async () => {
  await createFundedInvestor(ledger, { amountMinor: 300n })
  const moveTime = (by: string) =>
    tamper(ledger, () =>
      ledger.runSql(
        `update ledger.event set recorded_at = recorded_at ${by}, effective_at = effective_at ${by} where seq in (2, 3)`,
      ),
    )
  await moveTime(`- interval '2 days'`)
  await ledger.parts.closeMonths()
  await moveTime(`+ interval '2 days'`)
  expect(await listProblems()).toEqual([
    'the end of 2026-08 after 4 events: an event before it is of a later month',
  ])
})

test('a signed month that was deleted is detected', async () => {
  await ledger.parts.closeMonths()
  await tamper(ledger, () => ledger.runSql('delete from ledger.trial_balance'))
  expect(await listProblems()).toEqual(['the trial balance of 2026-08 is missing'])
})

test('a balance that was changed only while the month was closed is detected', async () => {
  const setBalance = (amount: string) =>
    tamper(ledger, () =>
      ledger.runSql(`update ledger.balance set balance_minor = ${amount} where account like $1`, [
        `investor:${investorId}:balance%`,
      ]),
    )
  await setBalance('12600')
  await ledger.parts.closeMonths()
  await setBalance('12500')
  expect((await listProblems()).join()).toMatch(
    /with a root that differs from the state after 2 events/,
  )
})
