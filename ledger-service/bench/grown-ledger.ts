/** The units to accrue per investment, one per pass. */
export const HOURS_AGO = 200

export interface GrownLedger {
  readonly ledgerUrl: string
  readonly investors: readonly string[]
  readonly investments: readonly string[]
  readonly seconds: number
  /** The units accrued per investment so far. */
  units: number
}
