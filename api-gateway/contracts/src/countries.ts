import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'

/** A country with its ISO 3166-1 alpha-2 code and its English name. */
export const Country = z.object({ code: z.string().length(2), name: z.string() })
export type Country = z.infer<typeof Country>

export const listCountries = declareEndpoint({
  method: 'GET',
  path: '/countries',
  access: 'anyone',
  response: z.object({ countries: z.array(Country) }),
})
