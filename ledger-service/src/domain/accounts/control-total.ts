import { createStateTable } from '../../log/table.ts'
import type { View } from '../../log/view.ts'

/** Sums over all investors. Each event updates these sums, so that no page has to sum a table. */
export const controlTotalTable = createStateTable('control_total', 'name', {
  name: 'text',
  count: 'int8',
  amountMinor: 'int8',
  profitMinor: 'int8',
  lastSeq: 'int8',
})

export function addToTotal(
  view: View,
  change: {
    name: string
    count?: bigint
    amountMinor?: bigint
    profitMinor?: bigint
    seq: bigint
  },
): void {
  const { name, count = 0n, amountMinor = 0n, profitMinor = 0n, seq } = change
  // All rows of this table are in memory, so a name that is not found has no row.
  const total = view.peek(controlTotalTable, name)
  view.put(controlTotalTable, {
    name,
    count: (total?.count ?? 0n) + count,
    amountMinor: (total?.amountMinor ?? 0n) + amountMinor,
    profitMinor: (total?.profitMinor ?? 0n) + profitMinor,
    lastSeq: seq,
  })
}
