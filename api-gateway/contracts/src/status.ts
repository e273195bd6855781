import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'

/** `delayed`: it answers, and is behind; `away`: it does not answer; `unknown`: nobody could say. */
export const PartState = z.enum(['working', 'delayed', 'away', 'unknown'])
export type PartState = z.infer<typeof PartState>

export const SitePart = z.enum(['site', 'ledger', 'workers', 'mail'])
export type SitePart = z.infer<typeof SitePart>

/** How the site stands for its users, looked up at most every ten seconds; also while it is maintained. */
export const getStatus = endpoint({
  method: 'GET',
  path: '/public/status',
  access: 'anyone',
  response: z.object({
    checkedAt: Instant,
    isMaintenance: z.boolean(),
    parts: z.array(z.object({ part: SitePart, state: PartState })),
  }),
})
