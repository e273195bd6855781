import { createId } from '@cairn/ledger-contracts'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
let option: string
beforeAll(async () => {
  scene = await startScene()
  const { db } = scene.gateway
  option = (await db.selectFrom('platform.payment_option').select('id').executeTakeFirstOrThrow())
    .id
  await addMessages(1_200)
  const question = { question: 'Is it safe?', answer: 'See the claims.' }
  await expectOk(scene.call(scene.admin, 'POST', '/admin/faqs', question))
  const { userId: user } = scene.investor
  const bank = { bankName: 'B', accountNumber: '7', accountName: 'A', accountType: 'Others' }
  await expectOk(scene.call(scene.investor, 'POST', '/users/me/banks', bank))
  const terms = { user, wallet_type: 'balance', amount: '5', direction: 'debit', reason: 'Test' }
  await expectOk(scene.call(scene.admin, 'POST', '/admin/adjustments', terms))
})
afterAll(() => scene?.gateway.stop())

/** Adds contact messages; two of them contain formulas. */
async function addMessages(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, place) => ({
    id: createId(1_700_000_000_000 + place),
    name: place === 7 ? '=HYPERLINK("http://evil.example")' : `Visitor ${place}`,
    email: `visitor-${place}@example.com`,
    message: place === 8 ? '-2+3+cmd|calc' : `Two lines,\nand a "quote" ${place}`,
    ip: '192.0.2.1',
    created_at: new Date(1_700_000_000_000 + place),
  }))
  await scene.gateway.db.insertInto('platform.contact_message').values(rows).execute()
}

async function downloadFile(visitor: Visitor, path: string) {
  const response = await fetch(`${scene.gateway.url}/api/v1${path}`, {
    headers: { cookie: visitor.cookie },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function downloadRows(visitor: Visitor, path: string): Promise<Record<string, string>[]> {
  const { status, headers, text } = await downloadFile(visitor, path)
  expect([path, status]).toEqual([path, 200])
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/)
  expect(text).not.toMatch(/undefined|\[object|NaN/)
  return parse(text, { bom: true, columns: true })
}

/** Each export, its list, and the property of the list's answer that contains the rows. */
const LISTS: ReadonlyArray<readonly [file: string, list: string, rows: string]> = [
  ['/transactions.csv', '/transactions', 'transactions'],
  ['/transactions.csv?type=deposit', '/transactions?type=deposit', 'transactions'],
  ['/investments.csv', '/investments', 'investments'],
  ['/users.csv', '/users', 'users'],
  ['/users.csv?q=example', '/users?q=example', 'users'],
  ['/admin/adjustments.csv', '/admin/adjustments', 'adjustments'],
  ['/admin/announcements.csv', '/admin/announcements', 'announcements'],
  ['/admin/approvals.csv', '/admin/approvals', 'changeRequests'],
  ['/admin/attestations.csv', '/admin/attestations', 'attestations'],
  ['/admin/audit.csv?action=faq.create', '/admin/audit?action=faq.create', 'entries'],
  ['/admin/cash/OPTION/lines.csv', '/admin/cash/OPTION/lines', 'lines'],
  ['/admin/cash/OPTION/movements.csv', '/admin/cash/OPTION/movements', 'movements'],
  ['/admin/cash/OPTION/statements.csv', '/admin/cash/OPTION/statements', 'statements'],
  ['/admin/claims.csv', '/admin/claims', 'claims'],
  ['/admin/endorsements.csv', '/admin/endorsements', 'endorsements'],
  ['/admin/faqs.csv', '/admin/faqs', 'faqs'],
  ['/admin/jobs.csv', '/admin/jobs', 'workers'],
  ['/admin/ledger/accounts.csv', '/admin/ledger/accounts', 'accounts'],
  ['/admin/ledger/accounts.csv?prefix=cash', '/admin/ledger/accounts?prefix=cash', 'accounts'],
  ['/admin/ledger/accounts/reserve/statement.csv', '/admin/ledger/accounts/reserve', 'lines'],
  ['/admin/ledger/checkpoints.csv', '/admin/ledger/checkpoints', 'checkpoints'],
  ['/admin/ledger/events.csv', '/admin/ledger/events?limit=200', 'events'],
  ['/admin/ledger/events.csv?amount=100', '/admin/ledger/events?amount=100', 'events'],
  ['/admin/ledger/trial-balance.csv', '/admin/ledger/trial-balance', 'rows'],
  ['/admin/ledger/verifications.csv', '/admin/ledger/verifications', 'verifications'],
  ['/admin/plans.csv', '/admin/plans', 'plans'],
  ['/admin/templates.csv', '/admin/templates', 'templates'],
  ['/users/INVESTOR/banks.csv', '/users/INVESTOR', 'user.bankAccounts'],
  ['/users/INVESTOR/sessions.csv', '/users/INVESTOR/sessions', 'sessions'],
  ['/admin/referrals.csv', '/admin/referrals', 'referrers'],
  ['/admin/referrals/INVESTOR/people.csv', '/admin/referrals/INVESTOR', 'referrals'],
  ['/paymentOptions.csv', '/paymentOptions', 'paymentOptions'],
]
const OWN_LISTS: typeof LISTS = [
  ['/users/me/transactions.csv', '/users/me/transactions', 'transactions'],
  ['/users/me/investments.csv', '/users/me/investments', 'investments'],
  ['/users/me/activity.csv', '/users/me/activity', 'activity'],
  ['/users/me/notifications.csv', '/users/me/notifications', 'notifications'],
  ['/users/me/banks.csv', '/users/me/banks', 'accounts'],
  ['/users/me/certificates.csv', '/users/me/certificates', 'certificates'],
  ['/users/me/sessions.csv', '/users/me/sessions', 'sessions'],
  ['/users/me/statements.csv', '/users/me/statements', 'statements'],
  ['/users/me/referrals.csv', '/users/me/referrals', 'referrals'],
]

const fillPath = (path: string) =>
  path.replace('OPTION', option).replace('INVESTOR', scene.investor.userId)

test.each([...LISTS, ...OWN_LISTS])('%s has the rows of %s', async (csv, list, name) => {
  const visitor = csv.startsWith('/users/me/') ? scene.investor : scene.admin
  const countListedRows = async () => {
    const answer = await expectOk<object>(scene.call(visitor, 'GET', fillPath(list)))
    // The name of a nested list contains a full stop.
    const listed = name.split('.').reduce((part, key) => Reflect.get(part, key), answer)
    return Array.isArray(listed) ? listed.length : -1
  }
  // A checkpoint can be signed between two requests, so the list is read before and after the
  // export.
  const before = await countListedRows()
  const rows = await downloadRows(visitor, fillPath(csv))
  expect([before, await countListedRows()]).toContain(rows.length)
})

test('every file of the registry is among them', () => {
  const paths = scene.gateway.routes.map(({ endpoint }) => endpoint.path)
  const tried = [...LISTS, ...OWN_LISTS].map(([csv]) => csv.replace(/\?.*/, ''))
  const declared = paths
    .filter((path) => path.endsWith('.csv') && path !== '/admin/messages.csv')
    .map((path) =>
      path.replace(':option', 'OPTION').replace(':id', 'INVESTOR').replace(':account', 'reserve'),
    )
  expect([...new Set(tried)].toSorted()).toEqual(declared.toSorted())
})

test('all pages are in the file, each row once, whatever is written in it', async () => {
  const rows = await downloadRows(scene.admin, '/admin/messages.csv')
  expect(new Set(rows.map(({ Email }) => Email)).size).toBe(1_200)
  expect(rows).toHaveLength(1_200)
  expect(rows[1_199]).toMatchObject({ Name: 'Visitor 0', Message: 'Two lines,\nand a "quote" 0' })
})

test('typed text is no formula, and a negative amount stays a number', async () => {
  const messages = (await downloadFile(scene.admin, '/admin/messages.csv')).text
  expect(messages).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect(messages).toContain(`'-2+3+cmd|calc`)
  expect(messages).not.toMatch(/(^|,)"?[=+@-]/m)
  const accounts = (await downloadFile(scene.admin, '/admin/ledger/accounts.csv')).text
  expect(accounts).toMatch(/,-\d+\.\d\d/)
})

test('sabotaged twin: without the escape the same cell begins a formula', () => {
  const text = stringify([['=HYPERLINK("http://evil.example")', '-2+3+cmd|calc']])
  expect(text).toMatch(/(^|,)"?[=+@-]/m)
})

test('the audit log records each export with its filter and its actor', async () => {
  const { admin, second } = scene
  await downloadRows(admin, `/admin/audit.csv?actor=${second.userId}&action=user`)
  type Entries = { entries: { actor?: { id: string }; details: { filter?: object } }[] }
  const reply = scene.call(admin, 'GET', '/admin/audit?action=audit.export&limit=1')
  const { entries } = await expectOk<Entries>(reply)
  expect(entries[0]?.actor?.id).toBe(admin.userId)
  expect(entries[0]?.details.filter).toEqual({ actor: second.userId, action: 'user' })
})

test('a list that cannot be read is refused before the file begins', async () => {
  expect(
    (await downloadFile(scene.admin, '/admin/cash/0123456789abcdefghjk/lines.csv')).status,
  ).toBe(404)
  const unknown = '/admin/ledger/events.csv?user=no-user-of-this-name'
  expect((await downloadFile(scene.admin, unknown)).status).toBe(422)
  expect((await downloadFile(scene.investor, '/admin/messages.csv')).status).toBe(403)
})
