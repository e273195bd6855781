import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { planTable } from '../domain/plans/plan.ts'
import { checkRow } from './table.ts'

test('only the selected columns of a row are checked', () => {
  expect(checkRow(planTable, { planId: 'a', unit: 'hours' })).toEqual({
    planId: 'a',
    unit: 'hours',
  })
  expect(checkRow(planTable, { planId: 'a' })).toEqual({ planId: 'a' })
  expect(() => checkRow(planTable, { planId: 'a', unit: 'weeks' })).toThrow(
    'ledger.plan.unit of "a" is "weeks": expected hours, days',
  )
})

describe('a row with a standing that does not exist', () => {
  let earlier: TestLedger
  let ledger: TestLedger
  let sound = ''
  const corrupt = createId(Date.now())

  beforeAll(async () => {
    earlier = await startTestLedger()
    sound = await createFundedInvestor(earlier, { amountMinor: 10_000n })
    await earlier.runSql('alter table ledger.investor drop constraint investor_standing_check')
    await earlier.runSql(
      `insert into ledger.investor select (jsonb_populate_record(investor,
         jsonb_build_object('investor_id', $2::text, 'standing', 'favoured'))).*
       from ledger.investor where investor_id = $1`,
      [sound, corrupt],
    )
    // A new writer has no cached rows, so it reads the changed rows from the database.
    ledger = await startTestLedger({ database: earlier.database })
  })
  afterAll(async () => {
    await ledger.close()
    await earlier.close()
  })

  const fund = (investorId: string) =>
    ledger.submit('FundWallet', {
      transactionId: createId(Date.now()),
      investorId,
      amountMinor: 1_000n,
      wallet: 'balance',
      category: null,
      reason: null,
    })

  test('fails the commands that need it, and no other in the same batch', async () => {
    const [first, second, third] = await Promise.all([fund(sound), fund(corrupt), fund(sound)])
    expect(first).toMatchObject({ outcome: 'recorded' })
    expect(second).toMatchObject({ outcome: 'failed', code: 'POISON' })
    expect(third).toMatchObject({ outcome: 'recorded' })
  })

  test('fails the queries that show it, with the name of table, column and row', async () => {
    await expect(ledger.ask('investors', { investorIds: [sound, corrupt] })).rejects.toThrow(
      `ledger.investor.standing of "${corrupt}" is "favoured": expected active, deactivated, denied, closed`,
    )
  })
})
