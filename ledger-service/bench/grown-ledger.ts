/**
 * The number of hours for which each investment can be accrued. Each run of accruals credits one
 * hour.
 */
export const HOURS_AGO = 200

export interface GrownLedger {
  readonly ledgerUrl: string
  readonly investors: readonly string[]
  readonly investments: readonly string[]
  readonly seconds: number
  /** The units accrued per investment so far. */
  units: number
}
