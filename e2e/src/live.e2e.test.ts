import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Platform, startPlatform } from './platform.ts'

const ADMIN = ['admin@cairn.example', 'cairn-demo-admin'] as const
const INVESTOR = ['noah.adeyemi@cairn.example', 'cairn-demo-investor'] as const
const LIVE_MS_MAX = 5_000

let platform: Platform
let browser: Browser
beforeAll(async () => {
  ;[platform, browser] = await Promise.all([startPlatform(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await platform?.remove()
})

async function openAs([email, password]: readonly [string, string], path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${platform.url}/users/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(/\/manage\//)
  await page.goto(`${platform.url}${path}`)
  return page
}

test('an administrator approves in one browser, and the investor’s open page shows it in the other', async () => {
  const investor = await openAs(INVESTOR, '/manage/investor/transactions')
  const row = investor.getByRole('row').filter({ hasText: '$750' })
  await row.getByText('Pending').first().waitFor()
  let loads = 0
  investor.on('load', () => {
    loads += 1
  })

  const waiting = `/manage/admin/transactions?status=pending&q=${INVESTOR[0]}`
  const office = await openAs(ADMIN, waiting)
  await office.getByRole('button', { name: 'Approve', exact: true }).first().click()
  await office.getByRole('button', { name: /^Approve and credit/ }).click()
  await office
    .getByText(/ approved\.$/)
    .first()
    .waitFor()
  const approvedAt = performance.now()
  await expect.poll(() => row.getByText('Pending').count(), { timeout: LIVE_MS_MAX }).toBe(0)
  await row.getByText('Completed').first().waitFor({ timeout: LIVE_MS_MAX })
  expect(loads).toBe(0)
  process.stdout.write(`shown after ${Math.round(performance.now() - approvedAt)} ms\n`)
})
