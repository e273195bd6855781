import { z } from 'zod'
import { isLanguage, isTimeZone } from './calendar.ts'
import { endpoint } from './endpoint.ts'
import { Flag } from './fields.ts'

export const CHART_RANGES = ['1W', '1M', '3M', 'YTD', '1Y', 'MAX'] as const
const ChartRange = z.enum(CHART_RANGES)

/** What an investor chose to be told; mails about security and money moved cannot be switched off. */
export const Preferences = z.object({
  accountActivity: z.boolean(),
  investmentUpdates: z.boolean(),
  transactionAlerts: z.boolean(),
  promotionalOffers: z.boolean(),
  marketUpdates: z.boolean(),
  /** How far back charts reached when a range was last chosen. */
  chartRange: ChartRange,
  /** How far back charts reach when they open; null: as far as was last chosen. */
  defaultRange: ChartRange.nullable(),
  /** How dates are written, as a BCP 47 tag; null: as the site writes them. Words stay English. */
  language: z.string().nullable(),
  /** Where days begin and end, as an IANA name; null: the browser's. Papers are in UTC. */
  timeZone: z.string().nullable(),
  /** Mail the monthly statement. */
  monthlyStatement: z.boolean(),
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
}

const Language = z
  .string()
  .max(35, 'must be the tag of a language')
  .refine(isLanguage, 'must be the tag of a language')
const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone')

const one = z.object({ preferences: Preferences })

export const getPreferences = endpoint({
  method: 'GET',
  path: '/users/me/preferences',
  access: 'session',
  response: one,
})

/** Choices left out stay as they are. */
export const putPreferences = endpoint({
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
      })
      .partial(),
  }),
  response: one,
})
