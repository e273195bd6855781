import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'

/** `local`: the primary database server. `standby`: also a synchronous standby. */
const Durability = z.enum(['local', 'standby'])

/** Where an answered command is stored: what the operator requires, and what holds now. */
export const getDurability = endpoint({
  method: 'GET',
  path: '/admin/ledger/durability',
  permission: 'ledger.read',
  response: z.object({ required: Durability, now: Durability }),
  failures: [...LEDGER_QUERY_FAILURES],
})
