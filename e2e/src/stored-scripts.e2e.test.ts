import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createApiClient } from './api-client.ts'
import { addInvestor, openAdminApi, signIn } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { PATIENCE_MS, waitUntilLoaded } from './visit.ts'

const WEB = resolve(import.meta.dirname, '..', '..', 'web', 'src')
/** A text that calls `ran` if a page renders it as HTML, in an attribute or between elements. */
const SCRIPT = '"><img src=x onerror=ran()><svg onload=ran()>'

useSharedSite()

type Watched = { page: Page; countExecutions: () => number; listReports: () => readonly string[] }

/** Opens a window that counts executions of the script and reports violations of the policy. */
async function openWatchedPage(isPolicyOff: boolean): Promise<Watched> {
  const context = await browser.newContext({ bypassCSP: isPolicyOff, reducedMotion: 'reduce' })
  let executions = 0
  const reports: string[] = []
  await context.exposeFunction('ran', () => {
    executions += 1
  })
  await context.exposeFunction('reported', (what: string) => {
    reports.push(what)
  })
  await context.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => window.reported(event.violatedDirective + ' ' + event.blockedURI))",
  )
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await signIn(page, platform, LOGINS.admin)
  await page.goto(`${platform.url}/manage/admin/dashboard`)
  return { page, countExecutions: () => executions, listReports: () => reports }
}

// These objects are deleted at the end, because other tests would show their texts to visitors.
let planted: readonly string[] = []
afterAll(async () => {
  const admin = await openAdminApi(platform)
  for (const path of planted) await admin.send('DELETE', path)
})

/** Stores the script in all texts that a user or an administrator can enter. */
async function storeScripts(): Promise<{
  userId: string
  transactionId: string
  cashOption: string
}> {
  const investor = createApiClient(platform.url)
  await investor.get('public/settings')
  const { email, password } = await addInvestor(platform)
  await investor.send('POST', 'users/login', { email, password }, { 'user-agent': SCRIPT })
  const me = (await investor.get('users/me')).body.data.user
  const profile = { name: SCRIPT, email: me.email, phone: me.phone, country: me.country }
  const bank = {
    bankName: SCRIPT,
    accountNumber: SCRIPT,
    accountName: SCRIPT,
    accountType: 'Others',
  }
  const form = new FormData()
  form.set('type', 'deposit')
  form.set('amount', '77')
  form.set('pay_option', 'Bank Transfer')
  form.set('receipt', createReceiptPng(), `${SCRIPT}.png`)
  const message = { name: SCRIPT, email: 'someone@cairn.example', message: SCRIPT }
  const answers = [
    await investor.send('PUT', 'users/update-profile', profile),
    await investor.send('POST', 'users/me/banks', bank),
    await investor.send('POST', 'users/me/transactions', form),
    await investor.send('POST', 'contact', message),
  ]
  const transactionId: string = answers[2]?.body.data.transaction.id

  const admin = await openAdminApi(platform)
  const terms = { planDuration: 30, timingParameter: 'days', minDeposit: 10, percentage: 1 }
  const plan = { name: SCRIPT, ...terms, returnPrincipal: true }
  const option = { payOption: 'Bank Transfer', bank: SCRIPT, accountNumber: SCRIPT, extra: SCRIPT }
  answers.push(
    await admin.send('POST', `users/${me.id}/notes`, { text: SCRIPT }),
    await admin.send('POST', 'plans', plan),
    await admin.send('POST', 'paymentOptions', option),
    await admin.send('POST', 'admin/faqs', { question: SCRIPT, answer: SCRIPT }),
    await admin.send('PATCH', `transactions/${transactionId}/action/decline`, { reason: SCRIPT }),
    await admin.send('POST', 'admin/reserve', { amount: 1, note: SCRIPT }),
  )
  planted = answers.flatMap(({ body }) => {
    const { plan, paymentOption, faq } = body.data ?? {}
    if (plan !== undefined) return [`plans/${plan.id}`]
    if (paymentOption !== undefined) return [`paymentOptions/${paymentOption.id}`]
    return faq === undefined ? [] : [`admin/faqs/${faq.id}`]
  })
  const cashOption: string = answers.find(({ body }) => body.data?.paymentOption)?.body.data
    .paymentOption.id
  const statement = new FormData()
  const line = `Date,Amount,Text\n2026-11-02,5.00,"${SCRIPT.replaceAll('"', '""')}"\n`
  statement.set('file', new Blob([line], { type: 'text/csv' }), `${SCRIPT}.csv`)
  answers.push(await admin.send('POST', `admin/cash/${cashOption}/statements`, statement))
  expect(answers.map(({ status }) => Math.floor(status / 100))).toEqual(answers.map(() => 2))
  return { userId: me.id, transactionId, cashOption }
}

test('T48: a script that people stored runs nowhere in the admin area', async () => {
  const { userId, transactionId, cashOption } = await storeScripts()
  const pages = [
    'dashboard',
    'users',
    'users?view=grid',
    `users/${userId}`,
    `users/${userId}?tab=notes`,
    `users/${userId}?tab=activity`,
    `users/${userId}?view=fund`,
    'transactions',
    `transactions?transaction=${transactionId}`,
    'investments',
    'plans',
    'payment_options',
    'faq',
    'testimonials',
    'messages',
    'audit',
    'ledger',
    'ledger?type=DepositDeclined',
    'accounts',
    'approvals',
    'referrals',
    'reserve',
    `reserve/${cashOption}`,
    'jobs',
    'templates',
  ]
  const { page, countExecutions, listReports } = await openWatchedPage(false)
  let shown = 0
  for (const path of pages) {
    await page.goto(`${platform.url}/manage/admin/${path}`)
    await waitUntilLoaded(page)
    if ((await page.getByText('onerror=ran()').count()) > 0) shown += 1
  }
  // The script must be shown as text in enough places, otherwise the test would prove little.
  expect(shown).toBeGreaterThan(8)
  expect(countExecutions()).toBe(0)
  expect(listReports()).toEqual([])
  await page.context().close()
})

test('T48, sabotaged: as markup the same text is stopped by the policy, and without the policy it runs', async () => {
  for (const isPolicyOff of [false, true]) {
    const { page, countExecutions, listReports } = await openWatchedPage(isPolicyOff)
    await page.evaluate((markup) => document.body.insertAdjacentHTML('beforeend', markup), SCRIPT)
    await expect
      .poll(() => (isPolicyOff ? countExecutions() : listReports().length))
      .toBeGreaterThan(0)
    if (!isPolicyOff) expect(countExecutions()).toBe(0)
    await page.context().close()
  }
})

test('no page renders text as HTML', async () => {
  const names = await readdir(WEB, { recursive: true })
  const files = names.filter((name) => /\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(100)
  const texts = await Promise.all(files.map((name) => readFile(join(WEB, name), 'utf8')))
  const unsafe = /dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write/
  expect(files.filter((_name, index) => unsafe.test(texts[index] ?? ''))).toEqual([])
})
