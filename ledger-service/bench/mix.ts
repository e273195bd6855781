import { createId } from '@cairn/ledger-contracts'
import {
  type Books,
  checkBooks,
  fundInvestors,
  measureBytesPerRow,
  openBooks,
  pickRandomItem,
} from './books.ts'
import {
  createAccrual,
  createDepositApproval,
  createDepositRequest,
  createInvestment,
  createPlanDefinition,
  createWithdrawalApproval,
  createWithdrawalRequest,
} from './commands.ts'
import { type Bench, createComparison, measure, measureAlternately, type Side } from './row.ts'
import type { BenchServer } from './server.ts'
import { openTextbook, TEXTBOOK_CLIENTS, type Textbook } from './textbook.ts'

const INVESTORS = 10_000
const IN_FLIGHT = 1_000
const STEPS = 6

/** Each investor sends six commands of different types, one after another. */
export const mixBench: Bench = {
  title: 'mix',
  run: async (server, { seconds, report }) => {
    const ledger = await openLedgerSide(server)
    const textbook = await openTextbookSide(server)
    const programs = { own: 'writer and clients', children: 'others', postmaster: server.pid }
    const measured = { textbook: textbook.measureRate, ledger: ledger.measureRate }
    const rates = await measureAlternately(seconds, measured, programs)
    const bytes = { ledger: await ledger.measureBytes(), textbook: await textbook.measureBytes() }
    for (const side of [textbook, ledger]) await side.close()
    report([
      createComparison({
        name: 'the product’s mix, 1,000 in flight',
        unit: 'commands/s',
        value: rates.ledger.perSecond,
        bytesPerEvent: bytes.ledger,
        shares: rates.ledger.shares,
        baselineValue: rates.textbook.perSecond,
        baselineBytesPerEvent: bytes.textbook,
        bar: 8,
        baseline: 'the same mix in textbook manner, 20 clients',
      }),
    ])
  },
}

async function openLedgerSide(server: BenchServer): Promise<Side> {
  const { ledgerUrl } = await server.createDatabase()
  const books = openBooks(ledgerUrl)
  const planId = createId(Date.now())
  await books.send([createPlanDefinition(planId)], 'interactive')
  const investors = await fundInvestors(books.send, INVESTORS)
  return {
    measureRate: async (seconds) => {
      const load = { inFlight: IN_FLIGHT, seconds }
      const { perSecond } = await measure(load, () =>
        runLedgerTurn(books, planId, pickRandomItem(investors)),
      )
      return { perSecond: perSecond * STEPS }
    },
    measureBytes: () => measureBytesPerRow(ledgerUrl, { schema: 'ledger', table: 'event' }),
    close: async () => {
      await books.close()
      await checkBooks(ledgerUrl)
    },
  }
}

async function runLedgerTurn(books: Books, planId: string, investorId: string): Promise<void> {
  const [deposit, withdrawal, investmentId] = [0, 0, 0].map(() => createId(Date.now()))
  if (deposit === undefined || withdrawal === undefined || investmentId === undefined) return
  for (const next of [
    () => createDepositRequest(deposit, investorId),
    () => createDepositApproval(deposit),
    () => createWithdrawalRequest(withdrawal, investorId),
    () => createWithdrawalApproval(withdrawal),
    () => createInvestment({ investmentId, investorId, planId, hoursAgo: 2 }),
    () => createAccrual(investmentId, 1),
  ]) {
    await books.send([next()], 'interactive')
  }
}

/**
 * The first three accounts belong to the operator. The next accounts belong to the investors; each
 * investor has four accounts.
 */
const CASH = 0
const RESERVE = 1
const COMMITTED = 2
const FIRST = 3
const PER_INVESTOR = 4

async function openTextbookSide(server: BenchServer): Promise<Side> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, FIRST + INVESTORS * PER_INVESTOR)
  return {
    measureRate: async (seconds) => {
      const load = { inFlight: TEXTBOOK_CLIENTS, seconds }
      const { perSecond } = await measure(load, () =>
        runTextbookOperation(textbook, Math.floor(Math.random() * INVESTORS)),
      )
      return { perSecond: perSecond * STEPS }
    },
    measureBytes: () => measureBytesPerRow(url, { schema: 'textbook', table: 'transfer' }),
    close: () => textbook.close(),
  }
}

async function runTextbookOperation(textbook: Textbook, investor: number): Promise<void> {
  const balance = FIRST + investor * PER_INVESTOR
  const [held, principal, profit] = [balance + 1, balance + 2, balance + 3]
  const deposit = await textbook.request('deposit', balance, 300_000)
  await textbook.settle(deposit, { debit: CASH, credit: balance, amount: 300_000 })
  const hold = { debit: balance, credit: held, amount: 100_000 }
  const withdrawal = await textbook.requestWithHold('withdrawal', hold)
  await textbook.settle(withdrawal, { debit: held, credit: CASH, amount: 100_000 })
  // The accounts of the operator come first, because transactions lock accounts in the order of
  // their ids.
  const investment = await textbook.invest({ account: balance, principal: 100_000 }, [
    { debit: RESERVE, credit: COMMITTED, amount: 200_000 },
    { debit: balance, credit: principal, amount: 100_000 },
  ])
  await textbook.accrue(investment, { debit: COMMITTED, credit: profit, amount: 20 })
}
