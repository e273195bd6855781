import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { openAdminApi, requestDeposit, signIn } from './people.ts'
import { page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitPastRetries, waitUntilLoaded } from './visit.ts'

useSharedSite()

beforeEach(() => signIn(page, platform, LOGINS.admin))

async function openAdminPage(path: string): Promise<void> {
  await page.goto(`${platform.url}/manage/admin/${path}`)
}

async function importFile(lines: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Import statement' }).first().click()
  const buffer = Buffer.from(lines.join('\n'))
  await page
    .getByLabel('Statement of the bank')
    .setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer })
}

/** Returns the lines of a bank statement that agrees with the ledger's cash account. */
async function createStatement(option: string): Promise<string[]> {
  const api = await openAdminApi(platform)
  const { body } = await api.get(`admin/ledger/accounts/cash:${option}?limit=200`)
  const lines: { seq: string; amount: number; effectiveAt: string }[] = body.data.lines
  const bySeq = new Map<string, { day: string; cents: number }>()
  for (const { seq, amount, effectiveAt } of lines) {
    const cents = (bySeq.get(seq)?.cents ?? 0) - Math.round(amount * 100)
    bySeq.set(seq, { day: effectiveAt.slice(0, 10), cents })
  }
  const moved = [...bySeq.values()].toSorted((one, other) => one.day.localeCompare(other.day))
  let balance = 0
  const formatMoney = (cents: number) => (cents / 100).toFixed(2)
  return moved.map(({ day, cents }, nth) => {
    balance += cents
    return `${day};Payment ${nth + 1};${formatMoney(cents)};${formatMoney(balance)}`
  })
}

test('a bank statement is imported, compared with the ledger, and the open lines are matched manually', async () => {
  await openAdminPage('reserve')
  await page.getByRole('button', { name: /Bank statements of First Harbor/ }).click()
  await page.getByRole('heading', { level: 1, name: /First Harbor/ }).waitFor()
  await waitUntilLoaded(page)
  const figures = page.getByRole('region', { name: 'Bank and ledger' })
  await expect.poll(() => figures.textContent()).toMatch(/Not matched–No statement imported yet/)
  const option = page.url().split('/').at(-1) ?? ''
  const lines = await createStatement(option)
  expect(lines.length).toBeGreaterThan(3)
  const [lastDay = ''] = lines.at(-1)?.split(';') ?? []

  await importFile(['Booking day', 'nothing to read here'])
  await page.getByText('Choose the columns of the date and the amount.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()

  const head = 'Booking date;Details;Amount;Balance'
  await importFile([head, ...lines])
  const send = page.getByRole('button', { name: `Import ${lines.length} lines` })
  await page.getByLabel('Balance', { exact: true }).selectOption('')
  await page.getByText(/^It begins with/).waitFor({ state: 'detached' })
  await page.getByLabel('Balance', { exact: true }).selectOption('3')
  await page.getByText(/^It begins with \$0\.00/).waitFor()
  await send.click()
  await page.getByText(new RegExp(`${lines.length} new lines`)).waitFor()
  await page.getByText('No difference').waitFor()
  await page.getByText('Agrees', { exact: true }).first().waitFor()

  await importFile([head, ...lines, `${lastDay};=HYPERLINK("x");12.34;0.00`])
  await page.getByText(/the balance does not follow from the row before/).waitFor()
  await page.getByLabel('Balance', { exact: true }).selectOption('')
  await page.getByRole('button', { name: `Import ${lines.length + 1} lines` }).click()
  await page.getByText('1 new line, 0 matched.').waitFor()

  const openLine = page.getByRole('row', { name: /=HYPERLINK\("x"\)/ })
  await openLine.waitFor()
  await page.getByLabel('Filter lines').selectOption('matched')
  await openLine.waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /Line of/ })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Remove match' }).click()
  await panel.getByText('Give a reason').waitFor()
  await panel.getByLabel('Reason').fill('It was another payment')
  await panel.getByRole('button', { name: 'Remove match' }).click()
  await page.getByText('The match is removed.').waitFor()
  await panel.getByRole('radio').first().check()
  await panel.getByLabel('Reason').fill('It was this one after all')
  await panel.getByRole('button', { name: 'Match', exact: true }).click()
  await page.getByText('The line is matched.').waitFor()

  await page.getByLabel('Filter lines').selectOption('open')
  await openLine.waitFor()
  await openAdminPage('audit')
  const acts = page.getByRole('button', { name: /removed the match of a bank line/ })
  // Each row ends with a chevron, which shows that the row opens.
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
  await acts.first().waitFor()
  const countRows = (all: Element[]) => ({
    shown: all.length > 0,
    withoutChevron: all.filter((row) => row.querySelector('td:last-child > svg') === null).length,
  })
  expect(await rows.evaluateAll(countRows)).toEqual({ shown: true, withoutChevron: 0 })
  await acts.first().click()
  await page.getByRole('dialog').getByText('It was another payment').waitFor()
})

test('the accounts are grouped by owner, and zero balances are shown on request', async () => {
  const { body } = await (await openAdminApi(platform)).get('admin/ledger/accounts')
  const accounts: { account: string; balance: number; person?: { name: string } }[] =
    body.data.accounts
  const zeros = accounts.filter(({ balance }) => balance === 0).map(({ account }) => account)
  expect(zeros.length).toBeGreaterThan(0)
  const owners = new Map(
    accounts.map(({ account, person }) => [account, person?.name ?? 'The operator']),
  )
  await openAdminPage('accounts')
  const table = page.getByRole('table', { name: 'Accounts', exact: true })
  const statements = table.getByRole('button', { name: /Statement of / })
  await statements.first().waitFor()
  /** Reads the code of each account, with the title of its group. */
  const readRows = async () => {
    const rows = await table.locator('tbody tr').evaluateAll((all) => {
      let group = ''
      return all.flatMap((row) => {
        const title = row.querySelector('th[scope="rowgroup"]')?.textContent
        group = title ?? group
        const code = row.querySelector('button')?.textContent?.match(/Statement of (\S+)$/)?.[1]
        return code === undefined ? [] : [{ code, group }]
      })
    })
    return new Map(rows.map(({ code, group }) => [code, group]))
  }
  const shown = await readRows()
  expect(shown.get('reserve')).toBe('The operator')
  expect(zeros.filter((code) => shown.has(code))).toEqual([])
  for (const [code, group] of shown) expect(group, code).toBe(owners.get(code))
  const titles = await table.locator('th[scope="rowgroup"]').allTextContents()
  expect(titles[0]).toBe('The operator')
  expect(titles.filter((title) => title === 'The operator')).toHaveLength(1)
  await table.getByText(/^Cash: First Harbor/).waitFor()

  await page.getByRole('switch', { name: 'Zero balances' }).click()
  await expect.poll(() => statements.count()).toBe(shown.size + zeros.length)
  const all = await readRows()
  for (const code of zeros) expect(all.get(code), code).toBe(owners.get(code))
})

test('the page verifies the log, and the consistency of two checkpoints', async () => {
  await openAdminPage('checkpoints')
  await page.getByText(/^Start check: newest checkpoint/).waitFor()
  // The demo ends with a verification, so there are two results.
  await page.getByText('Agrees', { exact: true }).first().waitFor()
  await page
    .getByText(/Not checked: the checkpoint file/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  // The newest result comes first: this verification, then the check at the start.
  const sentence =
    /^The ledger agrees with its events: (all [\d,]+ events until then|[\d,]+ of the [\d,]+ signed events) were checked/
  await page.getByText(sentence).first().waitFor()
  const results = page.getByRole('listitem').filter({ hasText: 'Agrees' })
  await results.first().getByText(sentence).waitFor()
  await results
    .last()
    .getByText(/^Start check/)
    .waitFor()
  // The request for the receipt of a new event makes the ledger sign one more checkpoint.
  const api = await openAdminApi(platform)
  await api.send('POST', 'admin/reserve', { amount: '1', note: 'one more event' })
  const countCheckpoints = async () =>
    (await api.get('admin/ledger/checkpoints')).body.data.checkpoints.length as number
  const { body } = await api.get('admin/ledger/events?limit=1')
  await api.get(`admin/ledger/events/${body.data.events[0].seq}`)
  await expect.poll(countCheckpoints).toBeGreaterThan(1)
  await page.reload()
  // The new event was not part of the verification.
  await page
    .getByText(/: [\d,]+ of the [\d,]+ signed events were checked; ([\d,]+ are|1 is) newer\.$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText(/begins with the whole ledger of \d+: no event was changed/).waitFor()
})

test('keys move the panel from one transaction to the next', async () => {
  await requestDeposit(platform, LOGINS.investor, '41.41')
  await requestDeposit(platform, LOGINS.investor, '42.42')
  await openAdminPage('transactions?status=pending')
  await page
    .getByRole('row', { name: /\$42\.42/ })
    .getByRole('button', { name: /Details of/ })
    .click()
  const panel = page.getByRole('dialog')
  // The test reads only the amount in the headline, because the panel also shows the amount of a
  // second deposit with the same payment proof.
  const waitForAmount = (amount: string) =>
    panel.locator('span.text-28').getByText(amount).waitFor()
  await waitForAmount('$42.42')
  await panel.getByRole('img', { name: /Payment proof/ }).waitFor()
  await page.keyboard.press('j')
  await waitForAmount('$41.41')
  await page.keyboard.press('ArrowLeft')
  await waitForAmount('$42.42')
  await panel.getByRole('button', { name: 'Zoom in' }).click()
  await panel.getByRole('status').getByText('150%').waitFor()
  await page.keyboard.press('j')
  await panel.getByRole('status').getByText('100%').waitFor()
  await panel.getByRole('button', { name: 'Previous transaction (k)' }).click()
  await waitForAmount('$42.42')
})

/** The paths of all admin pages that have a list. */
const LISTS = [
  'transactions',
  'users',
  'investments',
  'plans',
  'payment_options',
  'faq',
  'testimonials',
  'approvals',
  'messages',
  'referrals',
  'jobs',
  'claims',
  'ledger',
  'ledger?type=PlanDefined',
  'accounts',
  'accounts/reserve',
  'checkpoints',
  'audit',
  'notifications',
  'reserve/treasury',
]

test('each list of the admin area can be exported as a file', async () => {
  const without: string[] = []
  for (const path of LISTS) {
    await openAdminPage(path)
    await waitUntilLoaded(page)
    const links = await page.getByRole('link', { name: /^Export/ }).all()
    if (links.length === 0) without.push(path)
    for (const link of links) {
      const reply = await page.request.get(`${platform.url}${await link.getAttribute('href')}`)
      const type = reply.headers()['content-type'] ?? ''
      const isFile = ['text/csv; charset=utf-8', 'application/x-ndjson'].includes(type)
      if (!reply.ok() || !isFile) without.push(`${path}: ${reply.url()} ${reply.status()}`)
    }
  }
  expect(without).toEqual([])
  await openAdminPage('ledger?type=PlanDefined')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export these events' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  const types = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',')[3])
  expect(new Set(types)).toEqual(new Set(['Type', 'PlanDefined']))
})

test('an older part of the log that cannot be loaded can be requested again', async () => {
  await page.clock.install()
  // Live events are blocked, because an event would reload the list and remove the error.
  await page.route('**/api/v1/events?*', (route) => route.abort())
  await openAdminPage('ledger')
  const more = page.getByRole('button', { name: 'Load older events' })
  await more.waitFor()
  await waitUntilLoaded(page)
  const rows = page.getByRole('button', { name: /Event \d+$/ })
  const before = await rows.count()
  const reads = '**/api/v1/admin/ledger/**'
  await page.route(reads, (route) => route.abort())
  await more.click()
  const failed = page.getByText('More rows could not be loaded.')
  await waitPastRetries(failed)
  await expect.poll(() => rows.count()).toBe(before)
  await expect.poll(() => page.getByRole('button', { name: 'Retry' }).count()).toBe(1)
  await page.unroute(reads)
  await page.getByRole('button', { name: 'Retry' }).click()
  await failed.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBeGreaterThan(before)
})
