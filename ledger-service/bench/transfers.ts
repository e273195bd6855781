import { type Command, newId } from '@cairn/ledger-contracts'
import { checkBooks, openBooks } from './books.ts'
import { against, type Bench, measure, type Row } from './row.ts'
import type { BenchServer } from './server.ts'
import { openTextbook, TEXTBOOK_CLIENTS } from './textbook.ts'
import { transferModel } from './transfer-model.ts'

const ACCOUNTS = 10_000

interface Case {
  name: string
  inFlight: number
  isHot: boolean
  bar: number
}
const CASES: readonly Case[] = [
  { name: 'transfers, 1,000 in flight, uniform', inFlight: 1_000, isHot: false, bar: 8 },
  { name: 'transfers, 1,000 in flight, one hot account', inFlight: 1_000, isHot: true, bar: 25 },
  { name: 'transfers, 20 in flight, uniform', inFlight: 20, isHot: false, bar: 2.5 },
  { name: 'transfers, 20 in flight, one hot account', inFlight: 20, isHot: true, bar: 8 },
]

export const transferBench: Bench = {
  title: 'transfers',
  run: async (server, { seconds }) => {
    const baselines = new Map<boolean, number>()
    const rows: Row[] = []
    for (const { name, inFlight, isHot, bar } of CASES) {
      const baselineValue = baselines.get(isHot) ?? (await textbookRate(server, isHot, seconds))
      baselines.set(isHot, baselineValue)
      const value = await ledgerRate(server, { inFlight, isHot, seconds })
      const baseline = 'textbook ledger, 20 clients'
      rows.push(against({ name, unit: 'transfers/s', value, baseline, baselineValue, bar }))
    }
    return rows
  },
}

async function textbookRate(server: BenchServer, isHot: boolean, seconds: number): Promise<number> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, ACCOUNTS)
  const load = { inFlight: TEXTBOOK_CLIENTS, seconds }
  const { perSecond } = await measure(load, () => {
    const [debit, credit] = pair(isHot)
    return textbook.transfer(debit, credit, 100)
  })
  const [total, wrong] = await textbook.check()
  if (total !== '0' || wrong !== '0') throw new Error(`the textbook's books: ${total}, ${wrong}`)
  await textbook.close()
  return perSecond
}

async function ledgerRate(
  server: BenchServer,
  { inFlight, isHot, seconds }: { inFlight: number; isHot: boolean; seconds: number },
): Promise<number> {
  const { ledgerUrl } = await server.createDatabase()
  const books = openBooks(ledgerUrl, transferModel)
  const { perSecond } = await measure({ inFlight, seconds }, () =>
    books.send([transfer(isHot)], 'interactive'),
  )
  await books.close()
  // The bench's model keeps no control totals, so only those may differ.
  await checkBooks(ledgerUrl, (problem) => problem.startsWith('the total of'))
  return perSecond
}

function transfer(isHot: boolean): Command {
  const [debit, credit] = pair(isHot)
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

function pair(isHot: boolean): readonly [debit: number, credit: number] {
  const debit = isHot ? 0 : Math.floor(Math.random() * ACCOUNTS)
  const credit = 1 + Math.floor(Math.random() * (ACCOUNTS - 1))
  return [debit, credit === debit ? 0 : credit]
}
