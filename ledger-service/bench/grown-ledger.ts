/** Every investment has so many units to accrue, one a pass. */
export const HOURS_AGO = 200

export interface GrownLedger {
  readonly ledgerUrl: string
  readonly investors: readonly string[]
  readonly investments: readonly string[]
  readonly seconds: number
  /** Units accrued of every investment so far. */
  units: number
}
