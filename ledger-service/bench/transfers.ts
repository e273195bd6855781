import { type Command, newId } from '@cairn/ledger-contracts'
import { checkBooks, openBooks } from './books.ts'
import {
  type Bench,
  createComparison,
  measure,
  measureInTurns,
  type Row,
  type Side,
} from './row.ts'
import type { BenchServer } from './server.ts'
import { openTextbook, TEXTBOOK_CLIENTS } from './textbook.ts'
import { transferModel } from './transfer-model.ts'

const ACCOUNTS = 10_000

interface Kind {
  name: string
  isHot: boolean
  /**
   * The required ratios: `many` of the row with 1,000 transfers in progress, and `few` of the row
   * with 20.
   */
  bars: { many: number; few: number }
}
const KINDS: readonly Kind[] = [
  { name: 'uniform', isHot: false, bars: { many: 8, few: 2.5 } },
  { name: 'one hot account', isHot: true, bars: { many: 25, few: 8 } },
]

export const transferBench: Bench = {
  title: 'transfers',
  run: async (server, { seconds }) => {
    const rows: Row[] = []
    for (const { name, isHot, bars } of KINDS) {
      const textbook = await openTextbookSide(server, isHot)
      const many = await openLedgerSide(server, { inFlight: 1_000, isHot })
      const few = await openLedgerSide(server, { inFlight: 20, isHot })
      const rates = await measureInTurns(seconds, {
        textbook: textbook.rate,
        many: many.rate,
        few: few.rate,
      })
      for (const side of [textbook, many, few]) await side.close()
      const baseline = 'textbook ledger, 20 clients'
      const common = { unit: 'transfers/s', baseline, baselineValue: rates.textbook }
      rows.push(
        createComparison({
          ...common,
          name: `transfers, 1,000 in flight, ${name}`,
          value: rates.many,
          bar: bars.many,
        }),
        createComparison({
          ...common,
          name: `transfers, 20 in flight, ${name}`,
          value: rates.few,
          bar: bars.few,
        }),
      )
    }
    return rows
  },
}

async function openTextbookSide(server: BenchServer, isHot: boolean): Promise<Side> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, ACCOUNTS)
  const load = { inFlight: TEXTBOOK_CLIENTS }
  return {
    rate: async (seconds) => {
      const { perSecond } = await measure({ ...load, seconds }, () => {
        const [debit, credit] = pickAccounts(isHot)
        return textbook.transfer(debit, credit, 100)
      })
      return perSecond
    },
    close: () => textbook.close(),
  }
}

async function openLedgerSide(
  server: BenchServer,
  { inFlight, isHot }: { inFlight: number; isHot: boolean },
): Promise<Side> {
  const { ledgerUrl } = await server.createDatabase()
  const books = openBooks(ledgerUrl, transferModel)
  return {
    rate: async (seconds) => {
      const { perSecond } = await measure({ inFlight, seconds }, () =>
        books.send([createTransfer(isHot)], 'interactive'),
      )
      return perSecond
    },
    close: async () => {
      await books.close()
      // The model of the benchmark has no control totals, so problems of control totals are
      // expected.
      await checkBooks(ledgerUrl, {
        isReplaying: false,
        isExpected: (problem) => problem.startsWith('the total of'),
      })
    },
  }
}

function createTransfer(isHot: boolean): Command {
  const [debit, credit] = pickAccounts(isHot)
  return {
    type: 'RequestDeposit',
    data: {
      transactionId: newId(Date.now()),
      investorId: '0'.repeat(20),
      amountMinor: 100n,
      method: `cash:${debit}`,
      paymentOptionId: null,
      receiptId: `cash:${credit}`,
      receiptSha256: 'a'.repeat(64),
    },
    actor: 'system:bench',
    key: newId(Date.now()),
    requestId: null,
    effectiveAt: null,
  }
}

function pickAccounts(isHot: boolean): readonly [debit: number, credit: number] {
  const debit = isHot ? 0 : Math.floor(Math.random() * ACCOUNTS)
  const credit = 1 + Math.floor(Math.random() * (ACCOUNTS - 1))
  return [debit, credit === debit ? 0 : credit]
}
