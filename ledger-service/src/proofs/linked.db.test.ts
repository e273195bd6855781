import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  fundWallet,
  listOutcomes,
  requestWithdrawal,
  submitLinkedCommands,
} from '../../test/support/linked.ts'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { append, computeRoot, EMPTY_FRONTIER, packFrontier } from '../log/merkle.ts'
import { EMPTY_CHAIN, extendChain } from '../log/refusal-chain.ts'
import { createPool } from '../service/database/pool.ts'
import { rebuildProjections } from './rebuild.ts'
import { verifyLog } from './verify.ts'

let ledger: TestLedger
let investorId: string
beforeEach(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 1_000n })
})
afterEach(() => ledger.close())

const check = async () => (await verifyLog(ledger.pool, { ledger: 1 })).problems.join('\n')

/** Changes rows as a superuser who then computes the head and all projections again. */
async function rewriteRows(change: string): Promise<void> {
  await ledger.parts.stop()
  await tamper(ledger, async () => {
    await ledger.runSql(change)
    const leaves = await ledger.runSql<{ leaf: Buffer }>(
      'select leaf_hash as leaf from ledger.event order by seq',
    )
    const frontier = leaves.reduce((to, { leaf }) => append(to, leaf).frontier, EMPTY_FRONTIER)
    const refusals = await ledger.runSql<{ bytes: Buffer }>(
      'select bytes from ledger.refusal order by place',
    )
    const chain = refusals.reduce((to, { bytes }) => extendChain(to, bytes), EMPTY_CHAIN)
    await ledger.runSql(
      `update ledger.head set size = $1, root = $2, frontier = $3, refusal_count = $4,
         refusal_hash = $5`,
      [frontier.size, computeRoot(frontier), packFrontier(frontier), chain.count, chain.hash],
    )
    await ledger.runSql('delete from ledger.checkpoint')
  })
  const pool = createPool({ url: ledger.database.url, max: 1, name: 'rewrite' })
  await rebuildProjections(pool, { ledger: 1, model, isRepairing: true }).finally(() => pool.end())
}

test('only the check of groups detects that a superuser removed the end of a group', async () => {
  await submitLinkedCommands(ledger, [fundWallet(investorId, 1n), fundWallet(investorId, 2n)])
  expect(await check()).toBe('')
  await rewriteRows(
    'delete from ledger.posting where seq = 3; delete from ledger.event where seq = 3',
  )
  expect(await check()).toBe(
    'event 2: begins a group of 2 linked events, but the log contains only 1 of them',
  )
})

test('sabotaged twin: the same removal of a single event is not detected', async () => {
  await ledger.parts.writer.submit(
    [fundWallet(investorId, 1n), fundWallet(investorId, 2n)],
    'interactive',
  )
  await rewriteRows(
    'delete from ledger.posting where seq = 3; delete from ledger.event where seq = 3',
  )
  expect(await check()).toBe('')
})

async function refuseGroup(): Promise<void> {
  const refused = await submitLinkedCommands(ledger, [
    fundWallet(investorId, 1n, { key: 'a' }),
    requestWithdrawal(investorId, 2_000n, { key: 'b' }),
    fundWallet(investorId, 1n, { key: 'c' }),
  ])
  expect(listOutcomes(refused)).toEqual([
    'LINKED_COMMAND_REFUSED',
    'INSUFFICIENT_FUNDS',
    'LINKED_COMMAND_REFUSED',
  ])
}

test('the removal of a part of a refused group by a superuser is detected', async () => {
  await refuseGroup()
  expect(await check()).toBe('')
  await rewriteRows('delete from ledger.refusal where place = 2')
  expect(await check()).toBe('refusal 0 begins a group of 3 linked refusals that is not complete')
})

test('linked commands that were refused while a projection was changed are detected', async () => {
  const suspend = (standing: string) =>
    ledger.runSql(
      `update ledger.investor set standing = '${standing}' where investor_id = '${investorId}'`,
    )
  await ledger.parts.stop()
  await suspend('denied')
  const { database } = ledger
  const open = await startTestLedger({ database })
  const answers = await submitLinkedCommands(open, [
    fundWallet(investorId, 1n, { key: 'a' }),
    requestWithdrawal(investorId, 2n, { key: 'b' }),
  ])
  await open.close()
  expect(answers.map(({ outcome }) => outcome)).toEqual(['refused', 'refused'])
  await suspend('active')
  expect(await check()).toContain(
    'refusal 0 and those linked to it are other answers when they are decided again',
  )
})
