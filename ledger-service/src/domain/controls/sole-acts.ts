import { type Asset, addAsset, getAsset } from '@cairn/ledger-contracts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'

const HOUR_MS = 3_600_000
/**
 * The number of hours over which amounts are added up: the current hour and the 24 hours before it.
 */
const HOURS = 25n

/**
 * For each administrator and hour, the money that the administrator moved as the only approver. The
 * row of an hour replaces the row of the hour 25 hours earlier. Credits and debits both count as
 * positive amounts.
 */
export const soleActTable = createStateTable('sole_act', 'cell', {
  /**
   * The approver and the hour modulo 25, such as `admin:<id>/7`. For an asset other than the
   * currency of the ledger, the asset follows: `admin:<id>/7@EUR/2`.
   */
  cell: 'text',
  /** Hours since 1970. */
  hour: 'int8',
  amountMinor: 'int8',
  lastSeq: 'int8',
})

export type SoleAct = RowOf<typeof soleActTable>

/**
 * Returns the sum over the current hour and the 24 hours before it. All rows of this table are in
 * memory.
 */
export function sumSoleActs(
  view: View,
  { approver, asset }: { approver: string; asset: Asset | null },
  nowMs: number,
): bigint {
  const newest = getHour(nowMs)
  let sumMinor = 0n
  for (let slot = 0; slot < Number(HOURS); slot += 1) {
    const found = view.peek(soleActTable, formatSoleActKey(approver, asset, BigInt(slot))) ?? null
    if (found !== null && isRecent(found, newest)) sumMinor += found.amountMinor
  }
  return sumMinor
}

export function countSoleAct(
  view: View,
  act: {
    approver: string
    asset: Asset | null
    amountMinor: bigint
    recordedAtMs: number
    seq: bigint
  },
): void {
  const { approver, asset, amountMinor, recordedAtMs, seq: lastSeq } = act
  const hour = getHour(recordedAtMs)
  const cell = formatSoleActKey(approver, asset, hour % HOURS)
  const found = view.peek(soleActTable, cell) ?? null
  const countedMinor = found?.hour === hour ? found.amountMinor : 0n
  view.put(soleActTable, { cell, hour, amountMinor: countedMinor + amountMinor, lastSeq })
}

/**
 * Returns the sum of each approver over the current hour and the 24 hours before it, in the
 * currency of the ledger. `acts` must contain all rows of the table.
 */
export function sumByApprover(
  acts: readonly SoleAct[],
  nowMs: number,
): ReadonlyMap<string, bigint> {
  const newest = getHour(nowMs)
  const sums = new Map<string, bigint>()
  for (const act of acts) {
    if (!isRecent(act, newest) || getAsset(act.cell) !== null) continue
    const approver = act.cell.slice(0, act.cell.lastIndexOf('/'))
    sums.set(approver, (sums.get(approver) ?? 0n) + act.amountMinor)
  }
  return sums
}

function formatSoleActKey(approver: string, asset: Asset | null, slot: bigint): string {
  const cell = `${approver}/${slot}`
  return asset === null ? cell : addAsset(cell, asset)
}

function isRecent({ hour }: SoleAct, newest: bigint): boolean {
  return newest - hour < HOURS
}

function getHour(ms: number): bigint {
  return BigInt(Math.floor(ms / HOUR_MS))
}
