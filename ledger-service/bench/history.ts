import { createCeilingRow, type Row } from './row.ts'

const RATIO_MAX = 1.5

export function compareHistory(sizes: { small: number; large: number; postings: number }): Row {
  const { small, large, postings } = sizes
  const [from, to] = [small, large].map((ms) => ms.toFixed(1))
  const name =
    `a page of history and the balances, p99 at ${postings.toLocaleString('en-US')} postings ` +
    `against 100,000 (${to} ms, ${from} ms)`
  return createCeilingRow({ name, unit: 'times as long', value: large / small, ceiling: RATIO_MAX })
}
