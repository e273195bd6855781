import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signCheckpoint, VERIFIER_KEY } from '../../web/testing/signed-log.ts'
import { signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

const MISMATCH = 'This record does not match.'

/** Changes one character of one field of an answer, as a dishonest server would. */
async function tamper(on: Page, { path, field }: { path: string; field: RegExp }): Promise<void> {
  await on.route(`**/api/v1/public/${path}`, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      field,
      (_, before: string, found: string) => `${before}${found === 'A' ? 'B' : 'A'}`,
    )
    await route.fulfill({ response, body })
  })
}

async function openCheck(): Promise<void> {
  await openPath('/#check')
  await waitUntilLoaded(page)
}

describe('the latest checkpoint', () => {
  const verify = () => page.getByRole('button', { name: 'Verify the latest checkpoint' }).click()

  test('is verified in the browser: signature, size and root', async () => {
    await openCheck()
    await verify()
    await page.getByText('The signature matches the size and root of the ledger.').waitFor()
    await expect.poll(() => page.getByText('Matches: ').count()).toBe(3)
    await page.getByText(/^[\d,]+ events$/).waitFor()
  })

  test('with one changed character in its root does not match', async () => {
    // In the JSON text, the size, `\n` and the root follow each other in this order.
    await tamper(page, { path: 'checkpoint', field: /(\\n\d+\\n)([A-Za-z0-9])/ })
    await openCheck()
    await verify()
    await page.getByRole('alert').filter({ hasText: MISMATCH }).waitFor()
    expect(await page.getByText('Matches: ').count()).toBe(0)
    await page
      .locator('#check ol > li')
      .filter({ hasText: /^Does not match: Signature/ })
      .waitFor()
  })

  test('with a size that is not the signed one does not match', async () => {
    await page.route('**/api/v1/public/checkpoint', async (route) => {
      const response = await route.fetch()
      const { status, data } = await response.json()
      const checkpoint = { ...data.checkpoint, size: '1' }
      await route.fulfill({ response, json: { status, data: { checkpoint } } })
    })
    await openCheck()
    await verify()
    await page.getByRole('alert').filter({ hasText: MISMATCH }).waitFor()
    const steps = page.locator('#check ol > li')
    await steps.filter({ hasText: /^Matches: Signature/ }).waitFor()
    await steps.filter({ hasText: /^Does not match: Size/ }).waitFor()
  })

  test('that cannot be loaded can be requested again', async () => {
    await page.route('**/api/v1/public/checkpoint', (route) => route.abort())
    await openCheck()
    await verify()
    await page.getByText('The checkpoint could not be loaded.').waitFor()
    await page.unroute('**/api/v1/public/checkpoint')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('The signature matches the size and root of the ledger.').waitFor()
  })
})

describe('the sample receipt', () => {
  const choose = () => page.locator('#check').getByText('Sample receipt', { exact: true }).click()

  test('is a real one, and one changed character breaks it', async () => {
    await openCheck()
    await choose()
    await page.getByText(/This record is one of the first/).waitFor()
    const plans = await (await fetch(`${platform.url}/api/v1/plans`)).json()
    const shown = await page.getByText('as recorded').locator('strong').textContent()
    expect(plans.data.plans.map(({ name }: { name: string }) => name)).toContain(shown)
    await page.getByRole('button', { name: 'Change one character' }).click()
    await page.getByRole('alert').filter({ hasText: MISMATCH }).waitFor()
    await page.getByText('Changed record', { exact: true }).waitFor()
    await page.getByText('Computed root differs').waitFor()
    // The signed root was not changed, so it is not marked.
    await page.getByText('Signed root', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restore the record' }).click()
    await page.getByText(/This record is one of the first/).waitFor()
  })

  test('with one changed character in its record does not match', async () => {
    await tamper(page, { path: 'sample-receipt', field: /(extra .{200})([A-Za-z0-9])/ })
    await openCheck()
    await choose()
    await page.getByRole('alert').filter({ hasText: MISMATCH }).waitFor()
    expect(await page.getByText(/This record is one of the first/).count()).toBe(0)
  })

  test('does not match a key that did not sign it', async () => {
    await page.route('**/api/v1/public/log-key', async (route) => {
      const response = await route.fetch()
      // The public key of RFC 8032, section 7.1, test 1.
      const other = 'cairn.localhost/ledger/1+00000000+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea'
      await route.fulfill({
        response,
        json: { status: 'success', data: { verifierKeys: [other] } },
      })
    })
    await openCheck()
    await choose()
    await page.getByRole('alert').filter({ hasText: MISMATCH }).waitFor()
  })
})

describe('the key of the ledger', () => {
  const verify = () => page.getByRole('button', { name: 'Verify the latest checkpoint' }).click()
  const isAccepted = () => page.getByText('The signature matches the size and root of the ledger.')

  /**
   * Answers every request for the log with a forged log, and with the public key of the forger who
   * signed it.
   */
  async function forgeLog(): Promise<void> {
    const checkpoint = {
      size: '5',
      root: '00'.repeat(32),
      note: signCheckpoint(5, new Uint8Array(32)),
      signedAt: new Date().toISOString(),
    }
    const answers = { checkpoint: { checkpoint }, 'log-key': { verifierKeys: [VERIFIER_KEY] } }
    for (const [path, data] of Object.entries(answers)) {
      await page.route(`**/api/v1/public/${path}`, (route) =>
        route.fulfill({ json: { status: 'success', data } }),
      )
    }
  }

  test('is kept by the browser, which refuses a log that another key has signed', async () => {
    await openCheck()
    await verify()
    await isAccepted().waitFor()
    await forgeLog()
    await openCheck()
    await verify()
    const alert = page.getByRole('alert').filter({ hasText: MISMATCH })
    await alert.filter({ hasText: 'this browser trusts the key cairn.localhost' }).waitFor()
  })

  test('its sabotaged twin: without the kept key, the forged log is accepted', async () => {
    await openCheck()
    await verify()
    await isAccepted().waitFor()
    await forgeLog()
    await page.evaluate(() => localStorage.removeItem('cairn.log-keys'))
    await openCheck()
    await verify()
    await isAccepted().waitFor()
  })

  test('stays in the browser after a logout', async () => {
    await signIn(page, platform, LOGINS.investor)
    await openPath('/verify')
    await page.getByText(/^Trusted by this browser since/).waitFor()
    const read = () => page.evaluate(() => localStorage.getItem('cairn.log-keys'))
    const kept = await read()
    expect(kept).not.toBeNull()
    await openPath('/manage/investor/dashboard')
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(/users\/login/)
    expect(await read()).toBe(kept)
  })

  test('is shown on the verify page, and replaced only by the reader', async () => {
    await openPath('/verify')
    await page.getByText(/^Trusted by this browser since/).waitFor()
    const kept = page.locator('code').filter({ hasText: /^cairn\.localhost/ })
    await kept.waitFor()
    await forgeLog()
    await openPath('/verify')
    const alert = page.getByRole('alert').filter({ hasText: 'has changed' })
    await alert.waitFor()
    await kept.waitFor()
    await page.getByRole('button', { name: /trust the new key/ }).click()
    await page
      .locator('code')
      .filter({ hasText: /^log\.example/ })
      .waitFor()
    await alert.waitFor({ state: 'detached' })
  })
})
