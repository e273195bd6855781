import { readEvent } from '../../src/log/envelope.ts'
import type { SimulatedDatabase } from './database.ts'

/**
 * Checks that the lines of each file of opening balances were recorded in order, each line once.
 */
export function checkImports({ events }: SimulatedDatabase): readonly string[] {
  const problems: string[] = []
  const lines = new Map<unknown, number>()
  for (const row of events) {
    const { type, data, seq } = readEvent(row.bytes)
    if (type !== 'BalanceImported') continue
    const { fileSha256, line } = data
    const last = lines.get(fileSha256) ?? 0
    if (Number(line) <= last) problems.push(`event ${seq}: line ${line} after line ${last}`)
    lines.set(fileSha256, Number(line))
  }
  return problems
}
