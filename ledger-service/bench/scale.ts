import { newId } from '@cairn/ledger-contracts'
import { measureAccruals, measureInteractiveDuringAccruals } from './accruals.ts'
import { type Books, checkBooks, fundInvestors, openBooks, sendMade, withPool } from './books.ts'
import { accrue, definePlan, openInvestment } from './commands.ts'
import { type GrownLedger, HOURS_AGO } from './grown-ledger.ts'
import { compareHistory } from './history.ts'
import { measureProofs } from './proofs.ts'
import { measureOtherLoad } from './quiet.ts'
import { measureReadingP99 } from './reading.ts'
import type { Bench, Row } from './row.ts'
import type { BenchServer } from './server.ts'
import { type Service, startService } from './service.ts'

const INVESTORS = 10_000
/** 20,000 postings of fundings and four per purchase: 100,000 postings. */
const FIRST_INVESTMENTS = 20_000
/** Investors whose history pages are full, so that a page is the same work at each log size. */
const FIRST_BUYERS = 1_000
/** One log grown by commands. Rows about many events share it, because growing takes minutes. */
export const scaleBench: Bench = {
  title: 'accruals, history, proofs',
  run: async (server, { seconds, isLarge }) => {
    const due = isLarge ? 1_000_000 : 100_000
    const postings = isLarge ? 5_000_000 : 1_000_000
    const { ledgerUrl } = await server.createDatabase()
    const investments: string[] = []
    const { planId, investors } = await withBooks(ledgerUrl, async (books) => {
      const plan = newId(Date.now())
      await books.send([definePlan(plan)], 'bulk')
      const funded = await fundInvestors(books.send, INVESTORS)
      const buyers = funded.slice(0, FIRST_BUYERS)
      await buy(books, { investments, planId: plan, investors: buyers, upTo: FIRST_INVESTMENTS })
      return { planId: plan, investors: funded }
    })
    const grown: GrownLedger = { ledgerUrl, investors, investments, seconds, units: 0 }
    const subject = { investors: investors.slice(0, FIRST_BUYERS) }
    const measured = <T>(work: (service: Service) => Promise<T>) =>
      withService(ledgerUrl, async (service) => {
        await settle(server)
        return work(service)
      })
    const readP99 = () =>
      measured(({ port, token }) =>
        measureReadingP99({ port, token, subject, seconds, warmUpSeconds: 1 }),
      )
    const small = await readP99()

    const rows: Row[] = []
    await withBooks(ledgerUrl, (books) => buy(books, { investments, planId, investors, upTo: due }))
    rows.push(...(await measured((service) => measureAccruals(service, grown))))
    await checkBooks(ledgerUrl)
    await withBooks(ledgerUrl, (books) => growTo(books, grown, postings))
    const large = await readP99()
    rows.push(compareHistory({ small, large, postings: await countPostings(ledgerUrl) }))

    rows.push(await measured((service) => measureInteractiveDuringAccruals(service, grown)))
    await checkBooks(ledgerUrl)
    rows.push(...(await measured((service) => measureProofs(service, grown))))
    return rows
  },
}

async function buy(
  books: Books,
  purchase: { investments: string[]; planId: string; investors: readonly string[]; upTo: number },
): Promise<void> {
  const { investments, planId, investors, upTo } = purchase
  await sendMade(books.send, upTo - investments.length, (index) => {
    const investmentId = newId(Date.now())
    const investorId = investors[index % investors.length] ?? ''
    investments.push(investmentId)
    return openInvestment({ investmentId, investorId, planId, hoursAgo: HOURS_AGO })
  })
}

async function growTo(books: Books, grown: GrownLedger, postings: number): Promise<void> {
  const { investments, ledgerUrl } = grown
  while ((await countPostings(ledgerUrl)) < postings) {
    grown.units += 1
    await sendMade(books.send, investments.length, (index) =>
      accrue(investments[index] ?? '', grown.units),
    )
  }
}

async function countPostings(ledgerUrl: string): Promise<number> {
  return withPool(ledgerUrl, async (pool) => {
    const { rows } = await pool.query('select count(*)::int as postings from ledger.posting')
    return rows[0].postings
  })
}

async function withBooks<T>(ledgerUrl: string, work: (books: Books) => Promise<T>): Promise<T> {
  const books = openBooks(ledgerUrl)
  try {
    return await work(books)
  } finally {
    await books.close()
  }
}

async function withService<T>(
  ledgerUrl: string,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService(ledgerUrl)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

/**
 * Waits for the write-back of the page cache and for autovacuum after the growth. Otherwise both
 * would delay the commits that are measured.
 */
async function settle(server: BenchServer): Promise<void> {
  await server.checkpoint()
  await measureOtherLoad()
}
