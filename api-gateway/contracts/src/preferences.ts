import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './fields.ts'

/** What an investor chose to be told; mails about security and money moved cannot be switched off. */
export const Preferences = z.object({
  accountActivity: z.boolean(),
  investmentUpdates: z.boolean(),
  transactionAlerts: z.boolean(),
  promotionalOffers: z.boolean(),
  marketUpdates: z.boolean(),
  /** How far back the balance chart reaches when it opens. */
  chartRange: z.enum(['1W', '1M', '3M', 'YTD', '1Y', 'MAX']),
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
  monthlyStatement: false,
}

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
        chartRange: Preferences.shape.chartRange,
        monthlyStatement: Flag,
      })
      .partial(),
  }),
  response: one,
})
