import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'

/**
 * Where a command is stored before its answer is sent. `local`: on the primary database server.
 * `standby`: on the primary database server and on a synchronous standby.
 */
const Durability = z.enum(['local', 'standby'])

/**
 * Returns two levels of durability for answered commands: `required` is the level that the operator
 * demands, and `now` is the present level.
 */
export const getDurability = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/durability',
  permission: 'ledger.read',
  response: z.object({ required: Durability, now: Durability }),
  failures: [...LEDGER_QUERY_FAILURES],
})
