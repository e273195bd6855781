import { createId } from '@cairn/ledger-contracts'
import { storeNextTotals } from '../src/queries/accounts/past-totals.ts'
import { measureAccruals, measureInteractiveDuringAccruals } from './accruals.ts'
import {
  type Books,
  checkBooks,
  fundInvestors,
  openBooks,
  runWithPool,
  sendGeneratedCommands,
} from './books.ts'
import { createAccrual, createInvestment, createPlanDefinition } from './commands.ts'
import { type GrownLedger, HOURS_AGO } from './grown-ledger.ts'
import { compareReads, compareStarts, measureReads } from './history.ts'
import { measureProofs } from './proofs.ts'
import { measureOtherLoad } from './quiet.ts'
import type { Bench } from './row.ts'
import type { BenchDatabase, BenchServer } from './server.ts'
import { type Service, startService } from './service.ts'
import { measureStart } from './start.ts'

const INVESTORS = 10_000
/** The number of purchases that bring the log to 100,000 events. */
const FIRST_INVESTMENTS = 80_000
/**
 * This number of investors makes the first purchases, so that each of these investors has more than
 * a page of history.
 */
const FIRST_BUYERS = 1_000
/**
 * Measures accruals, reads and proofs on one large log, because the creation of the log takes
 * minutes.
 */
export const scaleBench: Bench = {
  title: 'accruals, history, proofs',
  run: async (server, { seconds, isLarge, report }) => {
    const due = isLarge ? 1_000_000 : 100_000
    const events = isLarge ? 10_000_000 : 500_000
    const database = await server.createDatabase()
    const { ledgerUrl } = database
    const fromMs = Date.now()
    const investments: string[] = []
    const { planId, investors } = await runWithBooks(ledgerUrl, async (books) => {
      const plan = createId(Date.now())
      await books.send([createPlanDefinition(plan)], 'bulk')
      const funded = await fundInvestors(books.send, INVESTORS)
      const buyers = funded.slice(0, FIRST_BUYERS)
      await buyInvestments(books, {
        investments,
        planId: plan,
        investors: buyers,
        upTo: FIRST_INVESTMENTS,
      })
      return { planId: plan, investors: funded }
    })
    const grown: GrownLedger = { ledgerUrl, investors, investments, seconds, units: 0 }
    const buyers = investors.slice(0, FIRST_BUYERS)
    const runOnService = <T>(work: (service: Service) => Promise<T>) =>
      runWithService(database, async (service) => {
        await waitForIdleServer(server)
        return work(service)
      })
    const measureLog = async () => ({
      reads: await runOnService((service) =>
        measureReads(service, { investors: buyers, investments, seconds, fromMs }, server.pid),
      ),
      start: await measureStart(database, investors),
    })
    const small = await measureLog()

    await runWithBooks(ledgerUrl, (books) =>
      buyInvestments(books, { investments, planId, investors, upTo: due }),
    )
    report(await runOnService((service) => measureAccruals(service, grown, server.pid)))
    await checkBooks(ledgerUrl)
    await runWithBooks(ledgerUrl, (books) => growLog(books, grown, events))
    const large = await measureLog()
    report(compareReads(small.reads, large.reads))
    report(compareStarts({ small: small.start, large: large.start }, large.reads.events))

    report([await runOnService((service) => measureInteractiveDuringAccruals(service, grown))])
    await checkBooks(ledgerUrl)
    report(await runOnService((service) => measureProofs(service, grown, server.pid)))
  },
}

async function buyInvestments(
  books: Books,
  purchase: { investments: string[]; planId: string; investors: readonly string[]; upTo: number },
): Promise<void> {
  const { investments, planId, investors, upTo } = purchase
  await sendGeneratedCommands(books.send, upTo - investments.length, (index) => {
    const investmentId = createId(Date.now())
    const investorId = investors[index % investors.length] ?? ''
    investments.push(investmentId)
    return createInvestment({ investmentId, investorId, planId, hoursAgo: HOURS_AGO })
  })
}

async function growLog(books: Books, grown: GrownLedger, events: number): Promise<void> {
  const { investments, ledgerUrl } = grown
  while ((await countEvents(ledgerUrl)) < events) {
    grown.units += 1
    await sendGeneratedCommands(books.send, investments.length, (index) =>
      createAccrual(investments[index] ?? '', grown.units),
    )
    await storeTotals(ledgerUrl)
  }
}

/** Stores the sums of the log, as a service does while the log grows. */
async function storeTotals(ledgerUrl: string): Promise<void> {
  const size = BigInt(await countEvents(ledgerUrl))
  await runWithPool(ledgerUrl, async (pool) => {
    let isComplete = false
    while (!isComplete) isComplete = !(await storeNextTotals(pool, { ledger: 1, size }))
  })
}

async function countEvents(ledgerUrl: string): Promise<number> {
  return runWithPool(ledgerUrl, async (pool) => {
    const { rows } = await pool.query('select size::int as events from ledger.head')
    return rows[0].events
  })
}

async function runWithBooks<T>(ledgerUrl: string, work: (books: Books) => Promise<T>): Promise<T> {
  const books = openBooks(ledgerUrl)
  try {
    return await work(books)
  } finally {
    await books.close()
  }
}

async function runWithService<T>(
  database: BenchDatabase,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService(database)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

/**
 * Waits until the page cache is written and autovacuum has finished, because both would delay the
 * measured commits.
 */
async function waitForIdleServer(server: BenchServer): Promise<void> {
  await server.checkpoint()
  await measureOtherLoad()
}
