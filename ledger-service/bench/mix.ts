import { newId } from '@cairn/ledger-contracts'
import { type Books, checkBooks, fundInvestors, openBooks, pick } from './books.ts'
import {
  accrue,
  approveDeposit,
  approveWithdrawal,
  definePlan,
  openInvestment,
  requestDeposit,
  requestWithdrawal,
} from './commands.ts'
import { against, type Bench, inTurns, measure, type Side } from './row.ts'
import type { BenchServer } from './server.ts'
import { openTextbook, TEXTBOOK_CLIENTS, type Textbook } from './textbook.ts'

const INVESTORS = 10_000
const IN_FLIGHT = 1_000
const STEPS = 6

/** Six commands in turn per investor; each type is a sixth of the load. */
export const mixBench: Bench = {
  title: 'mix',
  run: async (server, { seconds }) => {
    const ledger = await openLedgerSide(server)
    const textbook = await openTextbookSide(server)
    const rates = await inTurns(seconds, { textbook: textbook.rate, ledger: ledger.rate })
    for (const side of [textbook, ledger]) await side.close()
    return [
      against({
        name: 'the product’s mix, 1,000 in flight',
        unit: 'commands/s',
        value: rates.ledger,
        baselineValue: rates.textbook,
        bar: 8,
        baseline: 'the same mix in textbook manner, 20 clients',
      }),
    ]
  },
}

async function openLedgerSide(server: BenchServer): Promise<Side> {
  const { ledgerUrl } = await server.createDatabase()
  const books = openBooks(ledgerUrl)
  const planId = newId(Date.now())
  await books.send([definePlan(planId)], 'interactive')
  const investors = await fundInvestors(books.send, INVESTORS)
  return {
    rate: async (seconds) => {
      const load = { inFlight: IN_FLIGHT, seconds }
      const { perSecond } = await measure(load, () => productTurn(books, planId, pick(investors)))
      return perSecond * STEPS
    },
    close: async () => {
      await books.close()
      await checkBooks(ledgerUrl)
    },
  }
}

async function productTurn(books: Books, planId: string, investorId: string): Promise<void> {
  const [deposit, withdrawal, investmentId] = [0, 0, 0].map(() => newId(Date.now()))
  if (deposit === undefined || withdrawal === undefined || investmentId === undefined) return
  for (const next of [
    () => requestDeposit(deposit, investorId),
    () => approveDeposit(deposit),
    () => requestWithdrawal(withdrawal, investorId),
    () => approveWithdrawal(withdrawal),
    () => openInvestment({ investmentId, investorId, planId, hoursAgo: 2 }),
    () => accrue(investmentId, 1),
  ]) {
    await books.send([next()], 'interactive')
  }
}

/** Three accounts of the operator, then four per investor. */
const CASH = 0
const RESERVE = 1
const COMMITTED = 2
const FIRST = 3
const PER_INVESTOR = 4

async function openTextbookSide(server: BenchServer): Promise<Side> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, FIRST + INVESTORS * PER_INVESTOR)
  return {
    rate: async (seconds) => {
      const load = { inFlight: TEXTBOOK_CLIENTS, seconds }
      const { perSecond } = await measure(load, () =>
        textbookTurn(textbook, Math.floor(Math.random() * INVESTORS)),
      )
      return perSecond * STEPS
    },
    close: () => textbook.close(),
  }
}

async function textbookTurn(textbook: Textbook, investor: number): Promise<void> {
  const balance = FIRST + investor * PER_INVESTOR
  const [held, principal, profit] = [balance + 1, balance + 2, balance + 3]
  const deposit = await textbook.request('deposit', balance, 300_000)
  await textbook.settle(deposit, { debit: CASH, credit: balance, amount: 300_000 })
  const hold = { debit: balance, credit: held, amount: 100_000 }
  const withdrawal = await textbook.requestWithHold('withdrawal', hold)
  await textbook.settle(withdrawal, { debit: held, credit: CASH, amount: 100_000 })
  // The operator's rows come first, because every transaction locks in the order of ids.
  const investment = await textbook.invest({ account: balance, principal: 100_000 }, [
    { debit: RESERVE, credit: COMMITTED, amount: 200_000 },
    { debit: balance, credit: principal, amount: 100_000 },
  ])
  await textbook.accrue(investment, { debit: COMMITTED, credit: profit, amount: 20 })
}
