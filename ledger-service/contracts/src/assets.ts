import { z } from 'zod'

/**
 * A currency and the number of its decimal places, such as `USD/2`. All amounts are whole numbers
 * of the smallest unit of the currency.
 */
export const Asset = z
  .string()
  .regex(/^[A-Z][A-Z0-9]{1,9}\/(?:\d|1[0-8])$/, 'must be an asset, such as USD/2')
export type Asset = z.infer<typeof Asset>

/** The currency of a ledger until an administrator chooses another currency. */
export const DEFAULT_CURRENCY: Asset = 'USD/2'
