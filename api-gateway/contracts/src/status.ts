import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { Instant } from './fields.ts'

/**
 * State of a part of the site. `delayed`: the part works but has a backlog. `away`: it does not
 * answer. `unknown`: its state could not be read.
 */
export const PartState = z.enum(['working', 'delayed', 'away', 'unknown'])
export type PartState = z.infer<typeof PartState>

export const SitePart = z.enum(['site', 'ledger', 'workers', 'mail'])
export type SitePart = z.infer<typeof SitePart>

/**
 * Returns the state of the site, cached for ten seconds. The call is also answered in maintenance
 * mode.
 */
export const getStatus = declareEndpoint({
  method: 'GET',
  path: '/public/status',
  access: 'anyone',
  response: z.object({
    checkedAt: Instant,
    isMaintenance: z.boolean(),
    parts: z.array(z.object({ part: SitePart, state: PartState })),
  }),
})
