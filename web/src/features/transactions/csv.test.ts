import { expect, test } from 'vitest'

import { toCsv } from './csv.ts'

const deposit = {
  type: 'deposit',
  status: 'pending',
  amount: 1234.5,
  fee: 0,
  net: 1234.5,
  purpose: 'deposit',
  reference: 'DE114W5K0JP1',
  createdAt: '2026-11-21T07:00:00.000Z',
  decidedAt: null,
} as const
const id = '00000000000000000001'
const person = { id, _id: id, email: 'a@b.example' }

test('a transaction is one line with exact amounts', () => {
  const [, line] = toCsv([{ ...deposit, user: { ...person, name: 'Ada, "the" First' } }]).split(
    '\r\n',
  )
  expect(line).toBe(
    'DE114W5K0JP1,deposit,deposit,pending,1234.50,0.00,1234.50,"Ada, ""the"" First",a@b.example,2026-11-21T07:00:00.000Z,',
  )
})

test('a name cannot become a formula', () => {
  expect(toCsv([{ ...deposit, user: { ...person, name: '=1+1' } }])).toContain(",'=1+1,")
})

test('a movement of the operator belongs to the system', () => {
  expect(toCsv([deposit])).toContain(',System,,')
})
