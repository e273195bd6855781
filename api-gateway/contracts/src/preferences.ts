import { z } from 'zod'
import { isLanguage, isTimeZone } from './calendar.ts'
import { declareEndpoint } from './endpoint.ts'
import { createRequiredTextField, Flag } from './fields.ts'

export const CHART_RANGES = ['1W', '1M', '3M', 'YTD', '1Y', 'MAX'] as const
const ChartRange = z.enum(CHART_RANGES)

/**
 * The lists whose layout release 0.9.0 stores. It refuses an object with another name, so all other
 * lists are in `FURTHER_TABLES`.
 */
export const TABLES = ['users', 'transactions', 'investments'] as const
/** The other lists whose layout a user can change. */
export const FURTHER_TABLES = [
  'ownTransactions',
  'ownInvestments',
  'ownReferrals',
  'referrers',
  'changeRequests',
  'adjustments',
  'auditLog',
  'events',
  'accounts',
  'accountEntries',
  'checkpoints',
  'bankLines',
  'cashMovements',
  'mailTemplates',
] as const
export type TableName = (typeof TABLES)[number] | (typeof FURTHER_TABLES)[number]

/** PostgreSQL can store neither the character NUL nor an unpaired surrogate. */
function createStorableText(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u, 'has characters that cannot be stored')
}

/**
 * A saved view of a list: its name, and its search, filters and order as URL parameters of the
 * page.
 */
export const SavedView = z.object({
  name: createRequiredTextField('Name', 60),
  search: createStorableText(500),
})
export type SavedView = z.infer<typeof SavedView>

export const TableSettings = z.object({
  /** The ids of the columns that are not shown. */
  hidden: z.array(createStorableText(40)).max(20),
  isCompact: z.boolean(),
  views: z.array(SavedView).max(20, 'Remove a saved view first; at most 20 are kept'),
})
export type TableSettings = z.infer<typeof TableSettings>
const TableSettingsByName = z.partialRecord(z.enum(TABLES), TableSettings)
const FurtherTableSettings = z.partialRecord(z.enum(FURTHER_TABLES), TableSettings)

/** The preferences of a user. Mails about security and about moved money cannot be switched off. */
export const Preferences = z.object({
  accountActivity: z.boolean(),
  investmentUpdates: z.boolean(),
  transactionAlerts: z.boolean(),
  promotionalOffers: z.boolean(),
  marketUpdates: z.boolean(),
  /** The chart range that the user chose last. */
  chartRange: ChartRange,
  /** The chart range that a page shows first; null for the range that the user chose last. */
  defaultRange: ChartRange.nullable(),
  /** A BCP 47 tag that sets the date format, not the language; null for the format of the site. */
  language: z.string().nullable(),
  /**
   * The IANA time zone in which a day begins; null for the zone of the browser. Documents use the
   * zone of the site.
   */
  timeZone: z.string().nullable(),
  /** True if the user receives the monthly statement by mail. */
  monthlyStatement: z.boolean(),
  /** The layout of each list of release 0.9.0 whose layout the user changed. */
  tables: TableSettingsByName,
  /**
   * The layout of each other list whose layout the user changed. A later release can add names, and
   * release 0.9.0 does not send this field.
   */
  furtherTables: z.record(z.string(), TableSettings).default({}),
})
export type Preferences = z.infer<typeof Preferences>

export const DEFAULT_PREFERENCES: Preferences = {
  accountActivity: true,
  investmentUpdates: true,
  transactionAlerts: true,
  promotionalOffers: false,
  marketUpdates: false,
  chartRange: '3M',
  defaultRange: null,
  language: null,
  timeZone: null,
  monthlyStatement: false,
  tables: {},
  furtherTables: {},
}

const Language = z
  .string()
  .max(35, 'must be the tag of a language')
  .refine(isLanguage, 'must be the tag of a language')
const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone')

const one = z.object({ preferences: Preferences })

export const getPreferences = declareEndpoint({
  method: 'GET',
  path: '/users/me/preferences',
  access: 'session',
  response: one,
})

/** Saves preferences. Fields that are not sent keep their values. */
export const putPreferences = declareEndpoint({
  method: 'PUT',
  path: '/users/me/preferences',
  access: 'session',
  request: z.strictObject({
    body: z
      .strictObject({
        accountActivity: Flag,
        investmentUpdates: Flag,
        transactionAlerts: Flag,
        promotionalOffers: Flag,
        marketUpdates: Flag,
        chartRange: ChartRange,
        defaultRange: ChartRange.nullable(),
        language: Language.nullable(),
        timeZone: TimeZone.nullable(),
        monthlyStatement: Flag,
        /** Lists that are not sent keep their layout. */
        tables: TableSettingsByName,
        furtherTables: FurtherTableSettings,
      })
      .partial(),
  }),
  response: one,
})
