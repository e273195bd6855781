import { createId } from '@cairn/ledger-contracts'
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
import { compareHistory } from './history.ts'
import { measureProofs } from './proofs.ts'
import { measureOtherLoad } from './quiet.ts'
import { measureReadingP99 } from './reading.ts'
import type { Bench, Row } from './row.ts'
import type { BenchDatabase, BenchServer } from './server.ts'
import { type Service, startService } from './service.ts'

const INVESTORS = 10_000
/** The number of purchases that bring the log to 100,000 postings. */
const FIRST_INVESTMENTS = 20_000
/**
 * This number of investors makes the first purchases, so that each of these investors has more than
 * a page of history.
 */
const FIRST_BUYERS = 1_000
/**
 * Measures accruals, history and proofs on one large log, because the creation of the log takes
 * minutes.
 */
export const scaleBench: Bench = {
  title: 'accruals, history, proofs',
  run: async (server, { seconds, isLarge }) => {
    const due = isLarge ? 1_000_000 : 100_000
    const postings = isLarge ? 5_000_000 : 1_000_000
    const database = await server.createDatabase()
    const { ledgerUrl } = database
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
    const subject = { investors: investors.slice(0, FIRST_BUYERS) }
    const runOnService = <T>(work: (service: Service) => Promise<T>) =>
      runWithService(database, async (service) => {
        await waitForIdleServer(server)
        return work(service)
      })
    const readP99 = () =>
      runOnService(({ port, token }) =>
        measureReadingP99({ port, token, subject, seconds, warmUpSeconds: 1 }),
      )
    const small = await readP99()

    const rows: Row[] = []
    await runWithBooks(ledgerUrl, (books) =>
      buyInvestments(books, { investments, planId, investors, upTo: due }),
    )
    rows.push(...(await runOnService((service) => measureAccruals(service, grown))))
    await checkBooks(ledgerUrl)
    await runWithBooks(ledgerUrl, (books) => growLog(books, grown, postings))
    const large = await readP99()
    rows.push(compareHistory({ small, large, postings: await countPostings(ledgerUrl) }))

    rows.push(await runOnService((service) => measureInteractiveDuringAccruals(service, grown)))
    await checkBooks(ledgerUrl)
    rows.push(...(await runOnService((service) => measureProofs(service, grown))))
    return rows
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

async function growLog(books: Books, grown: GrownLedger, postings: number): Promise<void> {
  const { investments, ledgerUrl } = grown
  while ((await countPostings(ledgerUrl)) < postings) {
    grown.units += 1
    await sendGeneratedCommands(books.send, investments.length, (index) =>
      createAccrual(investments[index] ?? '', grown.units),
    )
  }
}

async function countPostings(ledgerUrl: string): Promise<number> {
  return runWithPool(ledgerUrl, async (pool) => {
    const { rows } = await pool.query('select count(*)::int as postings from ledger.posting')
    return rows[0].postings
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
