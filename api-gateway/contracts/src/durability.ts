import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'

/** `local`: the primary database server. `standby`: also a synchronous standby. */
const Durability = z.enum(['local', 'standby'])

/**
 * Returns the durability of answered commands: the level that the operator requires, and the
 * present level.
 */
export const getDurability = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/durability',
  permission: 'ledger.read',
  response: z.object({ required: Durability, now: Durability }),
  failures: [...LEDGER_QUERY_FAILURES],
})
