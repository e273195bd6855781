import { createId } from '@cairn/ledger-contracts'
import { type Books, checkBooks, measureBytesPerRow, openBooks } from './books.ts'
import { openFunctionLedger } from './functions.ts'
import {
  type Bench,
  createComparison,
  measure,
  measureAlternately,
  type Row,
  type Side,
} from './row.ts'
import type { BenchServer } from './server.ts'
import { openTextbook, TEXTBOOK_CLIENTS } from './textbook.ts'
import { createTransfer, transferModel } from './transfer-model.ts'

export const ACCOUNTS = 10_000
const BATCH = 100
const BATCH_CLIENTS = 8

interface Kind {
  name: string
  isHot: boolean
  /**
   * The required ratios. `many` and `few` compare with the ledger of `textbook.ts`, at 1,000 and at
   * 20 transfers in progress. `each` and `batched` compare with the PL/pgSQL functions, which are
   * called once per transfer and once per 100 transfers.
   */
  bars: { many: number; few: number; each: number; batched: number }
}
const KINDS: readonly Kind[] = [
  { name: 'uniform', isHot: false, bars: { many: 8, few: 2.5, each: 2.2, batched: 1 } },
  { name: 'one hot account', isHot: true, bars: { many: 25, few: 8, each: 10, batched: 1.5 } },
]

const TEXTBOOK = 'textbook ledger, 20 clients'
const EACH = 'PL/pgSQL function, 20 clients'
const BATCHED = `PL/pgSQL function, ${BATCH} transfers a call, ${BATCH_CLIENTS} clients`

export const transferBench: Bench = {
  title: 'transfers',
  run: async (server, { seconds, report }) => {
    for (const kind of KINDS) report(await compareSides(server, kind, seconds))
  },
}

/** Runs the minimal model of transfers in this process, without HTTP, against three baselines. */
async function compareSides(
  server: BenchServer,
  { name, isHot, bars }: Kind,
  seconds: number,
): Promise<readonly Row[]> {
  const sendOne = ({ send }: Books) => {
    const [debit, credit] = pickAccounts(isHot)
    return send([createTransfer(debit, [credit])], 'interactive')
  }
  const sides = {
    textbook: await openTextbookSide(server, isHot),
    each: await openFunctionSide(server, { isHot, batch: 1 }),
    batched: await openFunctionSide(server, { isHot, batch: BATCH }),
    many: await openTransferSide(server, 1_000, sendOne),
    few: await openTransferSide(server, 20, sendOne),
  }
  const { textbook, each, batched, many, few } = sides
  const programs = { own: 'writer and clients', children: 'others', postmaster: server.pid }
  const measured = {
    textbook: textbook.measureRate,
    each: each.measureRate,
    batched: batched.measureRate,
    many: many.measureRate,
    few: few.measureRate,
  }
  const rates = await measureAlternately(seconds, measured, programs)
  const row = async (parts: {
    own: 'many' | 'few'
    against: 'textbook' | 'each' | 'batched'
    baseline: string
    bar: number
  }) =>
    createComparison({
      name: `transfers, ${parts.own === 'many' ? '1,000' : '20'} in flight, ${name}`,
      unit: 'transfers/s',
      value: rates[parts.own].perSecond,
      p99Ms: rates[parts.own].p99Ms ?? 0,
      shares: rates[parts.own].shares,
      bytesPerEvent: await sides[parts.own].measureBytes(),
      baseline: parts.baseline,
      baselineValue: rates[parts.against].perSecond,
      baselineP99Ms: rates[parts.against].p99Ms ?? 0,
      baselineBytesPerEvent: await sides[parts.against].measureBytes(),
      bar: parts.bar,
    })
  const rows = [
    await row({ own: 'many', against: 'textbook', baseline: TEXTBOOK, bar: bars.many }),
    await row({ own: 'few', against: 'textbook', baseline: TEXTBOOK, bar: bars.few }),
    await row({ own: 'many', against: 'each', baseline: EACH, bar: bars.each }),
    await row({ own: 'many', against: 'batched', baseline: BATCHED, bar: bars.batched }),
  ]
  for (const side of Object.values(sides)) await side.close()
  return rows
}

async function openTextbookSide(server: BenchServer, isHot: boolean): Promise<Side> {
  const { url } = await server.createDatabase()
  const textbook = await openTextbook(url, ACCOUNTS)
  const load = { inFlight: TEXTBOOK_CLIENTS }
  return {
    measureRate: (seconds) => {
      return measure({ ...load, seconds }, () => {
        const [debit, credit] = pickAccounts(isHot)
        return textbook.transfer({ debit, credit, amount: 100 }, createId(Date.now()))
      })
    },
    measureBytes: () => measureBytesPerRow(url, { schema: 'textbook', table: 'transfer' }),
    close: () => textbook.close(),
  }
}

export async function openFunctionSide(
  server: BenchServer,
  { isHot, batch }: { isHot: boolean; batch: number },
): Promise<Side> {
  const { url } = await server.createDatabase()
  const clients = batch === 1 ? TEXTBOOK_CLIENTS : BATCH_CLIENTS
  const functions = await openFunctionLedger(url, { accounts: ACCOUNTS, clients })
  const createRandomTransfer = () => {
    const [debit, credit] = pickAccounts(isHot)
    return { debit, credit, key: createId(Date.now()) }
  }
  return {
    measureRate: async (seconds) => {
      const { perSecond, p99Ms } = await measure({ inFlight: clients, seconds }, () =>
        batch === 1
          ? functions.transfer(createRandomTransfer())
          : functions.transferMany(Array.from({ length: batch }, createRandomTransfer)),
      )
      return { perSecond: perSecond * batch, p99Ms }
    },
    measureBytes: () => measureBytesPerRow(url, { schema: 'functions', table: 'transfer' }),
    close: () => functions.close(),
  }
}

/** Opens a ledger with the minimal model. `send` submits one command or one group of commands. */
export async function openTransferSide(
  server: BenchServer,
  inFlight: number,
  send: (books: Books) => Promise<unknown>,
): Promise<Side> {
  const { ledgerUrl } = await server.createDatabase()
  const books = openBooks(ledgerUrl, transferModel)
  return {
    measureRate: (seconds) => measure({ inFlight, seconds }, () => send(books)),
    measureBytes: () => measureBytesPerRow(ledgerUrl, { schema: 'ledger', table: 'event' }),
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

function pickAccounts(isHot: boolean): readonly [debit: number, credit: number] {
  const debit = isHot ? 0 : Math.floor(Math.random() * ACCOUNTS)
  const credit = 1 + Math.floor(Math.random() * (ACCOUNTS - 1))
  return [debit, credit === debit ? 0 : credit]
}
