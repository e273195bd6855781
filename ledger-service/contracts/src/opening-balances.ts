import { z } from 'zod'

/**
 * The accounts that an import of opening balances can credit or debit. Held money, principal and
 * promised profit belong to requests and investments, which an import does not create.
 */
export const ImportableAccount = z
  .string()
  .regex(
    /^(?:investor:[0-9a-hjkmnp-tv-z]{20,24}:(?:balance|profit|referral)|cash:[0-9a-z-]{1,64}|reserve|fees|marketing|adjustments|income)$/,
    'must be a wallet of an investor, a cash account, reserve, fees, marketing, adjustments or income',
  )

/** The maximum number of lines of a file of opening balances. */
export const OPENING_LINES_MAX = 1_000_000
/** The number of a line of a file of opening balances, from 1. */
export const OpeningLine = z.int().min(1).max(OPENING_LINES_MAX)

/**
 * After two administrators permit the import of a file, the import must be made within this number
 * of days.
 */
export const IMPORT_PERMISSION_DAYS = 7
