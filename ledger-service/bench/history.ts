import { pick } from './books.ts'
import type { GrownLedger } from './grown-ledger.ts'
import { ceiling, measure, type Row } from './row.ts'
import type { Service } from './service.ts'

const RATIO_MAX = 1.5
const PAGE = 20

/** One person's newest page and balances, asked of the service one after the other. */
export async function readingP99({ client }: Service, grown: GrownLedger): Promise<number> {
  const { investors, seconds } = grown
  const page = {
    order: 'newest',
    limit: PAGE,
    ...{ offset: 0, from: null, to: null, type: null, status: null, q: null },
  } as const
  async function read(): Promise<void> {
    const investorIds = [pick(investors)]
    await client.ask('transactions', { investorIds, ...page })
    await client.ask('investors', { investorIds })
  }
  // The first calls warm the connections, the plans and the compiler.
  await measure({ inFlight: 1, seconds: 1 }, read)
  return (await measure({ inFlight: 1, seconds }, read)).p99Ms
}

export function historyRow(sizes: { small: number; large: number; postings: number }): Row {
  const { small, large, postings } = sizes
  const [from, to] = [small, large].map((ms) => ms.toFixed(1))
  const name =
    `a page of history and the balances, p99 at ${postings.toLocaleString('en-US')} postings ` +
    `against 100,000 (${to} ms, ${from} ms)`
  return ceiling({ name, unit: 'times as long', value: large / small, ceiling: RATIO_MAX })
}
