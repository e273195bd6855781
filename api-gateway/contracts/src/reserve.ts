import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { optionalText } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'

/** The operator's own money: set aside, and promised to running investments. */
export const Reserve = z.object({
  reserve: MoneyOut,
  committed: MoneyOut,
  fees: MoneyOut,
  income: MoneyOut,
  marketing: MoneyOut,
  adjustments: MoneyOut,
})
export type Reserve = z.infer<typeof Reserve>

export const getReserve = endpoint({
  method: 'GET',
  path: '/admin/reserve',
  access: 'admin',
  response: z.object({ reserve: Reserve }),
})

export const fundReserve = endpoint({
  method: 'POST',
  path: '/admin/reserve',
  access: 'admin',
  request: z.strictObject({
    body: z.strictObject({ amount: MoneyIn, note: optionalText('Note', 500) }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ reserve: Reserve }),
})
