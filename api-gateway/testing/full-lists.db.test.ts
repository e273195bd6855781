import { ENDORSEMENTS_MAX, FAQS_MAX } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseTransaction } from '../src/platform/database/database.ts'
import { countLockWaits, runDuring } from './run-during.ts'
import { send, startTestGateway, type TestGateway, type Visitor, visitAs } from './test-gateway.ts'

let gateway: TestGateway
let admin: Visitor | null
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await visitAs(gateway, 'admin')
})
afterAll(() => gateway?.stop())

const consent = 'Letter of 3 November 2026, in the file of the compliance officer'
const shown = { is_visible: true, updated_at: new Date() }

async function fillFaqs(): Promise<void> {
  const { length } = await gateway.db.selectFrom('platform.faq').select('id').execute()
  const rows = Array.from({ length: FAQS_MAX - 1 - length }, (_, position) => ({
    ...shown,
    id: createId(Date.now()),
    question: 'Q?',
    answer: 'A.',
    position,
  }))
  await gateway.db.insertInto('platform.faq').values(rows).execute()
}

async function fillEndorsements(): Promise<void> {
  const row = { kind: 'sponsor', name: 'B', role: null, quote: null, consent } as const
  const rows = Array.from({ length: ENDORSEMENTS_MAX - 1 }, (_, position) => ({
    ...row,
    ...shown,
    is_paid: false,
    id: createId(Date.now()),
    position,
  }))
  await gateway.db.insertInto('platform.endorsement').values(rows).execute()
}

test.each([
  ['platform.faq', fillFaqs, '/admin/faqs', { question: 'Last?', answer: 'Yes.' }],
  [
    'platform.endorsement',
    fillEndorsements,
    '/admin/endorsements',
    { kind: 'sponsor', name: 'Last', consent, isPaid: false },
  ],
])('of two new rows of %s at once, the one above the limit is refused', async (...given) => {
  const [table, fill, path, body] = given
  await fill()
  const add = () => send(gateway, admin, { method: 'POST', path, body })
  // Reading is possible, so that both calls count the rows before one of them is inserted.
  const lockTable = async (trx: DatabaseTransaction) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(trx)
  }
  const finish = async () => {
    await expect.poll(() => countLockWaits(gateway)).toBe(2)
  }
  const replies = await runDuring(gateway, lockTable, () => Promise.all([add(), add()]), { finish })
  const statuses = replies.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 422])
})
