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
import { openStepFunctions, type StepFunctions } from './step-functions.ts'
import { openTextbook, TEXTBOOK_CLIENTS, type Textbook } from './textbook.ts'

const INVESTORS = 10_000
const IN_FLIGHT = 1_000
const STEPS = 6
/** The functions are slower with 20 clients. */
const FUNCTION_CLIENTS = 8

/** Each investor sends six commands of different types, one after another. */
export const mixBench: Bench = {
  title: 'mix',
  run: async (server, { seconds, report }) => {
    const ledger = await openLedgerSide(server)
    const textbook = await openTextbookSide(server)
    const functions = await openFunctionSide(server)
    const programs = { own: 'writer and clients', children: 'others', postmaster: server.pid }
    const measured = {
      textbook: textbook.measureRate,
      functions: functions.measureRate,
      ledger: ledger.measureRate,
    }
    const rates = await measureAlternately(seconds, measured, programs)
    const own = {
      name: 'the product’s mix, 1,000 in flight',
      unit: 'commands/s',
      value: rates.ledger.perSecond,
      bytesPerEvent: await ledger.measureBytes(),
      shares: rates.ledger.shares,
    }
    report([
      createComparison({
        ...own,
        baseline: 'the same mix in textbook manner, 20 clients',
        baselineValue: rates.textbook.perSecond,
        baselineBytesPerEvent: await textbook.measureBytes(),
        bar: 8,
      }),
      createComparison({
        ...own,
        baseline: 'the same mix as PL/pgSQL functions, 8 clients',
        baselineValue: rates.functions.perSecond,
        baselineBytesPerEvent: await functions.measureBytes(),
        bar: 2.2,
      }),
    ])
    for (const side of [textbook, functions, ledger]) await side.close()
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
const ACCOUNTS = FIRST + INVESTORS * PER_INVESTOR

async function openTextbookSide(server: BenchServer): Promise<Side> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, ACCOUNTS)
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

async function openFunctionSide(server: BenchServer): Promise<Side> {
  const { url } = await server.createDatabase()
  const clients = FUNCTION_CLIENTS
  const functions = await openStepFunctions(url, { accounts: ACCOUNTS, clients })
  return {
    measureRate: async (seconds) => {
      const { perSecond } = await measure({ inFlight: clients, seconds }, () =>
        runFunctionOperation(functions, Math.floor(Math.random() * INVESTORS)),
      )
      return { perSecond: perSecond * STEPS }
    },
    measureBytes: () => measureBytesPerRow(url, { schema: 'steps', table: 'transfer' }),
    close: () => functions.close(),
  }
}

async function runFunctionOperation(functions: StepFunctions, investor: number): Promise<void> {
  const account = FIRST + investor * PER_INVESTOR
  const [held, invested, profit] = [account + 1, account + 2, account + 3]
  const createKey = () => createId(Date.now())
  const deposit = await functions.request({
    kind: 'deposit',
    account,
    amount: 300_000,
    key: createKey(),
    held: null,
  })
  await functions.settle(deposit, { debit: CASH, credit: account })
  const withdrawal = await functions.request({
    kind: 'withdrawal',
    account,
    held,
    amount: 100_000,
    key: createKey(),
  })
  await functions.settle(withdrawal, { debit: held, credit: CASH })
  const investment = await functions.invest({
    account,
    invested,
    principal: 100_000,
    reserve: RESERVE,
    committed: COMMITTED,
    promised: 200_000,
    key: createKey(),
  })
  const move = { debit: COMMITTED, credit: profit, amount: 20 }
  await functions.accrue({ investment, units: 1, ...move })
}
