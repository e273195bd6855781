import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { DEMO_INVESTORS } from '../../local/src/demo/people.ts'
import { logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import {
  addInvestor,
  addPendingInvestor,
  openAdminApi,
  requestDeposit,
  requestWithdrawal,
  signIn,
} from './people.ts'
import { page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'

useSharedSite()

beforeEach(() => signIn(page, platform, LOGINS.admin))

const REQUESTS = 10

/** Returns the ids of the person's pending requests, newest first. */
async function listPendingRequests(email: string): Promise<string[]> {
  const api = await openAdminApi(platform)
  const { body } = await api.get(`transactions?status=pending&q=${encodeURIComponent(email)}`)
  return body.data.transactions.map(({ id }: { id: string }) => id)
}

/** Opens the newest pending request of the person, and returns its panel. */
async function openPendingRequests(email: string): Promise<Locator> {
  const search = new URLSearchParams({ status: 'pending', q: email })
  await page.goto(`${platform.url}/manage/admin/transactions?${search}`)
  await page
    .getByRole('button', { name: /Details of/ })
    .first()
    .click()
  return page.getByRole('dialog')
}

test('ten requests are decided by keyboard, one after another', async () => {
  const person = await addInvestor(platform)
  for (let nth = 1; nth <= REQUESTS; nth += 1) await requestDeposit(platform, person, `${50 + nth}`)
  const ids = await listPendingRequests(person.email)
  expect(ids).toHaveLength(REQUESTS)

  const panel = await openPendingRequests(person.email)
  for (const id of ids) {
    await page.waitForURL((url) => url.searchParams.get('transaction') === id)
    await panel.getByRole('button', { name: 'Decline', exact: true }).waitFor()
    await panel.getByRole('img', { name: /Payment proof/ }).waitFor()
    const isDeclined = id === ids[0]
    await page.keyboard.press(isDeclined ? 'd' : 'a')
    // The confirmation step gets the keyboard focus when it appears.
    const step = isDeclined ? panel.getByLabel('Reason') : panel.getByText('Approve and credit')
    await step.waitFor()
    if (isDeclined) {
      await page.keyboard.type('The transfer did not arrive')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
  }
  await page.waitForURL((url) => !url.searchParams.has('transaction'))
  expect(await listPendingRequests(person.email)).toEqual([])
})

test('after a decision, the panel names both requests and ignores a second click', async () => {
  const person = await addInvestor(platform)
  await requestDeposit(platform, person, '51')
  await requestDeposit(platform, person, '52')
  const panel = await openPendingRequests(person.email)
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await panel.getByRole('button', { name: 'Approve and credit $52.00' }).waitFor()
  // Records whether the first buttons of the next request react to the pointer when they appear.
  await page.evaluate(() => {
    const states: string[] = []
    Object.assign(window, { states })
    new MutationObserver(() => {
      const button = [...document.querySelectorAll('[role=dialog] button')].find(
        ({ textContent }) => textContent === 'Approve',
      )
      if (button !== undefined) states.push(getComputedStyle(button).pointerEvents)
    }).observe(document.body, { childList: true, subtree: true, attributes: true })
  })
  const readStates = () => page.evaluate(() => (window as unknown as { states: string[] }).states)
  await panel.getByRole('button', { name: 'Approve and credit $52.00' }).click()
  const { name } = person
  const sentences = `Deposit approved: ${name}, $52.00. Next: ${name}, $51.00.`
  await panel.getByRole('status').getByText(sentences).waitFor()
  await expect.poll(readStates).toContain('auto')
  expect((await readStates())[0]).toBe('none')
  // The page shows each result once: in the panel while it is open, else in a message that closes
  // by itself.
  await expect.poll(() => page.getByText('Deposit approved').count()).toBe(1)
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await panel.getByRole('button', { name: 'Approve and credit $51.00' }).click()
  await page.getByRole('listitem').getByText(`Deposit approved: ${name}, $51.00.`).waitFor()
  await expect.poll(() => page.getByText('Deposit approved').count()).toBe(1)
})

test('a late answer to an approval leaves the reviewer at the request that was opened meanwhile', async () => {
  const person = await addInvestor(platform)
  for (const amount of ['56', '57', '58']) await requestDeposit(platform, person, amount)
  const [oldest] = (await listPendingRequests(person.email)).slice(-1)
  const panel = await openPendingRequests(person.email)
  const answer = Promise.withResolvers<void>()
  await page.route('**/action/approve', async (route) => {
    await answer.promise
    await route.continue()
  })
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await panel.getByRole('button', { name: 'Approve and credit $58.00' }).click()
  const next = panel.getByRole('button', { name: 'Next transaction (j)' })
  await next.click()
  await panel.getByText('$57.00').first().waitFor()
  await next.click()
  await panel.getByRole('button', { name: 'Decline', exact: true }).click()
  const reason = panel.getByLabel('Reason')
  await reason.fill('The transfer did not arrive')
  answer.resolve()
  await page.getByText(`Deposit approved: ${person.name}, $58.00.`).first().waitFor()
  expect(new URL(page.url()).searchParams.get('transaction')).toBe(oldest)
  expect(await reason.inputValue()).toBe('The transfer did not arrive')
})

test('the next request opens at its top, and the panel names each person in the header', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const name = 'Bartholomew Featherstonehaugh-Cholmondeley the Third'
  const person = await addInvestor(platform, { name })
  for (const amount of ['53', '54', '55']) await requestDeposit(platform, person, amount)
  const panel = await openPendingRequests(person.email)
  const header = panel.getByRole('heading', { level: 2 })
  const readHeader = () => header.textContent()
  const history = panel.getByRole('heading', { name: 'History' })
  await expect.poll(readHeader).toBe(`Deposit · ${name} · $55.00`)
  const amountBox = await header.getByText('$55.00').boundingBox()
  expect((amountBox?.x ?? 0) + (amountBox?.width ?? 0)).toBeLessThan(340)

  await panel.getByRole('button', { name: 'Decline', exact: true }).click()
  await panel.getByText(`Decline the deposit of ${name}.`).waitFor()
  await panel.getByLabel('Reason').fill('The transfer did not arrive')
  const proof = panel.getByText('Payment proof', { exact: true })
  await history.scrollIntoViewIfNeeded()
  expect(await isInView(proof)).toBe(false)
  await panel.getByRole('button', { name: 'Decline $55.00' }).click()
  const outcome = panel.getByText(`Deposit declined: ${name}, $55.00. Next: ${name}, $54.00.`)
  await outcome.waitFor()
  await expect.poll(() => isInView(outcome)).toBe(true)
  expect(await readHeader()).toBe(`Deposit · ${name} · $54.00`)

  await history.scrollIntoViewIfNeeded()
  await panel.getByRole('button', { name: 'Next transaction (j)' }).click()
  await expect.poll(readHeader).toBe(`Deposit · ${name} · $53.00`)
  await expect.poll(() => isInView(proof)).toBe(true)
  // The proof is what has to be compared, so half of a screen shows enough of it.
  const picture = await panel
    .getByRole('region', { name: 'Picture of the payment proof' })
    .boundingBox()
  expect(picture?.y).toBeLessThan(844 / 2)
  expect(await isBefore(panel.getByText('Net amount'), history)).toBe(true)
  expect(await isBefore(proof, panel.getByText('Net amount'))).toBe(true)
})

async function isBefore(one: Locator, other: Locator): Promise<boolean> {
  const [first, second] = [await one.boundingBox(), await other.boundingBox()]
  return (first?.y ?? Infinity) < (second?.y ?? -Infinity)
}

/** Tells whether the reader sees the element, which may be above or below its scroll area. */
function isInView(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + 2, top + 2))
  })
}

test('a pending row names the warning that its panel explains', async () => {
  const person = await addInvestor(platform)
  await requestDeposit(platform, person, '61')
  await requestDeposit(platform, person, '62')
  const panel = await openPendingRequests(person.email)
  const sentence = 'Proof uploaded with another deposit'
  await panel.getByText(sentence, { exact: true }).waitFor()
  const rows = page.getByRole('table', { name: 'Transactions', includeHidden: true })
  const marks = rows.locator('[aria-hidden]', { hasText: sentence })
  await expect.poll(() => marks.count()).toBe(2)
  const spoken = marks.first().locator('xpath=following-sibling::*')
  await expect.poll(() => spoken.textContent()).toBe(`Warnings: ${sentence}`)
  const heights = await rows
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  for (const height of heights) expect(height).toBeLessThan(46)
})

test.each([390, 1_440])(
  'the copy button ends where the values end, and a click does not move it, at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    const person = await addInvestor(platform)
    await requestDeposit(platform, person, '58')
    const panel = await openPendingRequests(person.email)
    const copy = panel.getByRole('button', { name: 'Copy the account number or address' })
    await copy.waitFor()
    const findEnd = (of: Locator) => of.evaluate((it) => it.getBoundingClientRect().right)
    const values = panel.getByRole('definition').filter({ hasText: /^\$58\.00$/ })
    const end = await findEnd(copy)
    expect(end).toBe(await findEnd(values.first()))
    await copy.click()
    await panel.getByText('Copied to clipboard!').waitFor()
    expect(await findEnd(copy)).toBe(end)
  },
)

test('the payment of a withdrawal comes before its approval, for both people', async () => {
  const person = await addInvestor(platform)
  const withdrawal = { wallet: 'balance', amount: 41 }
  const { id } = await requestWithdrawal(platform, person, withdrawal)
  await page.goto(`${platform.url}/manage/admin/transactions`)
  await page.getByText('Pay a withdrawal first, then approve it.').waitFor()
  await page.goto(`${platform.url}/manage/admin/transactions?transaction=${id}`)
  const panel = page.getByRole('dialog')
  const order = `Approve only after $41.00 has been paid to ${person.name}.`
  await panel.getByText(order).waitFor()
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await panel.getByRole('button', { name: 'Approve payout of $41.00' }).waitFor()
  await panel.getByText(order).waitFor()
  await panel.getByText('Pay to', { exact: true }).waitFor()

  const accounts = panel.getByLabel('Paid from', { exact: true }).locator('option')
  await expect.poll(async () => (await accounts.allTextContents())[0]).toMatch(/ \(default\)$/)
  // The other accounts are of a second answer of the API.
  await expect.poll(() => accounts.count()).toBeGreaterThan(1)
  const listed = (await accounts.allTextContents()).map((each) => each.replace(' (default)', ''))
  expect(new Set(listed).size).toBe(listed.length)
  await panel.getByRole('button', { name: 'Approve payout of $41.00' }).click()
  const outcome = `Withdrawal approved: ${person.name}, $41.00. Paid from ${listed[0]}.`
  await page.getByText(outcome).waitFor()
  const facts = panel.getByRole('definition')
  await facts.getByText(listed[0] ?? '', { exact: true }).waitFor()
  await panel.getByText('Paid from', { exact: true }).waitFor()
  await panel.getByText('Paid to', { exact: true }).waitFor()
  expect(await panel.getByText('Pay to', { exact: true }).count()).toBe(0)

  await signIn(page, platform, person)
  await page.goto(`${platform.url}/manage/investor/withdrawal?source=balance`)
  await page.getByLabel('Amount').fill('42')
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect
    .poll(() => summary.textContent())
    .toContain('pays $42.00 to your bank account and then approves the request.')
  const faqs = await (await fetch(`${platform.url}/api/v1/public/faqs`)).text()
  expect(faqs).toContain('pays it to your bank account and then approves it.')
})

test('a payment proof that was exchanged in the database is not shown', async () => {
  const person = await addInvestor(platform)
  await requestDeposit(platform, person, '53')
  await runSqlAsSuperuser(
    platform,
    `update platform.file set bytes = bytes || '\\x00' from identity.user
     where owner_id = "user".id and email = '${person.email}'`,
  )
  const panel = await openPendingRequests(person.email)
  await panel
    .getByText('The stored picture is not the one that the investor uploaded, so it is not shown.')
    .waitFor()
})

test('no bank account of the demo is new', async () => {
  const { email, password } = LOGINS.investor
  const investor = await logInAs(platform.url, email, password)
  const { body } = await investor.get('users/me/banks')
  const [oldest] = body.data.accounts
  expect(Date.now() - Date.parse(oldest.createdAt)).toBeGreaterThan(30 * 86_400_000)
  const api = await openAdminApi(platform)
  const path = 'transactions?type=withdrawal&status=pending&limit=100'
  const { transactions } = (await api.get(path)).body.data
  const demo = transactions.filter(({ user }: { user: { name: string } }) =>
    DEMO_INVESTORS.some(({ name }) => name === user.name),
  )
  for (const { flags } of demo) expect(flags).not.toContain('new-bank-account')
})

test('a request opens on the dashboard, and closing it returns to the dashboard', async () => {
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  await page.getByRole('link', { name: /withdrawals?, \$/ }).waitFor()
  const row = page.getByRole('button', { name: /Review/ }).first()
  await row.click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Approve' }).waitFor()
  await page.keyboard.press('a')
  await panel.getByRole('button', { name: /^Approve (payout|and credit)/ }).waitFor()
  await panel.getByRole('button', { name: 'Back' }).click()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/manage/admin/dashboard')
})

test('the dashboard opens the request that has waited longest', async () => {
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const rows = page.getByRole('button', { name: /\. Review / })
  await rows.first().waitFor()
  const reference = ((await rows.first().textContent()) ?? '').split(' ').at(-1) ?? ''
  await page.getByRole('button', { name: 'Review the oldest request' }).click()
  await page.getByRole('dialog').getByText(reference).waitFor()
})

test('the open requests stay within their card on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const card = page.getByRole('region', { name: 'Needs your attention' })
  await card.getByRole('link', { name: /withdrawals?, \$/ }).waitFor()
  const { wide, tops } = await card.evaluate((region) => {
    const { left, right } = region.getBoundingClientRect()
    const elements = [region, ...region.querySelectorAll('*')].filter(
      (element) => element.getClientRects().length > 0,
    )
    return {
      wide: elements
        .filter((element) => {
          const box = element.getBoundingClientRect()
          const isScrolled = element.scrollWidth > element.clientWidth && box.width > 0
          return box.left < left || box.right > right || (isScrolled && element.tagName === 'UL')
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      tops: [...region.querySelectorAll('li')]
        .filter((item) => item.getClientRects().length > 0)
        .map((item) => item.getBoundingClientRect().top),
    }
  })
  expect(wide).toEqual([])
  expect(tops.length).toBeGreaterThan(1)
  expect(new Set(tops).size).toBe(tops.length)
})

test('the link to the withdrawals that wait opens the list with the oldest first', async () => {
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const card = page.getByRole('region', { name: 'Needs your attention' })
  await card.getByRole('link', { name: /withdrawals?, \$/ }).click()
  await page.getByRole('columnheader', { name: 'Date' }).waitFor()
  const header = page.getByRole('columnheader', { name: 'Date' })
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
  const { body } = await (await openAdminApi(platform)).get(
    'transactions?status=pending&type=withdrawal&sort=createdAt&limit=1',
  )
  const rows = page.getByRole('table', { name: 'Transactions' }).getByRole('row')
  await rows.nth(1).getByText(body.data.transactions[0].reference).first().waitFor()
})

test('"Show all" moves the focus to the first kind of request that was added', async () => {
  await addPendingInvestor(platform, 'Wanda Waiting')
  // The card shows two kinds at this width.
  await page.setViewportSize({ width: 1_100, height: 900 })
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const card = page.getByRole('region', { name: 'Needs your attention' })
  const links = card.getByRole('link')
  const button = card.getByRole('button', { name: /^Show all \d/ })
  await button.focus()
  await expect.poll(() => links.count()).toBe(2)
  await page.keyboard.press('Enter')
  await button.waitFor({ state: 'detached' })
  expect(await links.nth(2).evaluate((it) => it === document.activeElement)).toBe(true)
})

test('the recent transactions are settled, because pending ones are in the queue', async () => {
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  const recent = page.getByRole('table', { name: 'Recent Transactions' })
  const rows = recent.or(page.getByRole('list', { name: 'Recent Transactions' }))
  await rows.getByText('Completed').first().waitFor()
  expect(await rows.getByText('Pending').count()).toBe(0)
})
