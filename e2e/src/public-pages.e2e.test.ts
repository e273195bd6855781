import { describe, expect, onTestFinished, test } from 'vitest'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

async function readSampleReceipt(): Promise<string> {
  const { data } = await (await fetch(`${platform.url}/api/v1/public/sample-receipt`)).json()
  return data.receipt
}

describe('a receipt that is dropped on the page Verify', () => {
  async function drop(receipt: string): Promise<void> {
    await openPath('/verify')
    await waitUntilLoaded(page)
    const dataTransfer = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'dropped.tlog-proof', { type: 'text/plain' }))
      return transfer
    }, receipt)
    const field = page.getByText('or drop it here')
    await field.dispatchEvent('dragover', { dataTransfer })
    await field.dispatchEvent('drop', { dataTransfer })
    await page.getByText('dropped.tlog-proof', { exact: true }).waitFor()
  }

  test('is verified at once, and can be removed', async () => {
    const receipt = await readSampleReceipt()
    await drop(receipt)
    await page.getByText('This receipt matches the signed ledger.').waitFor()
    await expect.poll(() => page.getByLabel('Receipt', { exact: true }).inputValue()).toBe(receipt)
    await page.getByRole('button', { name: 'Remove dropped.tlog-proof' }).click()
    await page.getByText('or drop it here').waitFor()
    expect(await page.getByText('This receipt matches the signed ledger.').count()).toBe(0)
  })

  test('with one changed character does not match', async () => {
    const receipt = await readSampleReceipt()
    const changed = receipt.replace(
      /(extra .{200})([A-Za-z0-9])/,
      (_, before: string, found: string) => `${before}${found === 'A' ? 'B' : 'A'}`,
    )
    expect(changed).not.toBe(receipt)
    await drop(changed)
    await page.getByText('This receipt does not match the ledger:').waitFor()
  })
})

describe('the chips of the public pages', () => {
  const findCard = (title: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  test.each([
    ['/about_us', 'Blockchain technology', 'Not used'],
    ['/about_us', 'Cryptocurrency and digital assets', 'Deposits only'],
    ['/about_us', 'Smart contracts', 'Not used'],
    ['/services', 'Secure Transactions', 'Offered'],
    ['/services', 'Advanced Analytics', 'Offered'],
    ['/services', 'Investment Advisory', 'Not offered'],
    ['/services', 'Trading Signals', 'Not offered'],
    ['/services', 'Wallet Security', 'Offered'],
  ])('on the page %s, "%s" is marked "%s"', async (path, title, words) => {
    await openPath(path)
    await findCard(title).getByText(words, { exact: true }).waitFor()
  })

  test.each([
    ['withheld', 'Not offered'],
    ['stated', 'Offered'],
  ])('support whose claim is "%s" is marked "%s"', async (state, words) => {
    await page.route('**/api/v1/public/claims', async (route) => {
      const response = await route.fetch()
      const { status, data } = await response.json()
      const claims = data.claims.map((claim: { key: string }) =>
        claim.key === 'support-hours' ? { ...claim, state } : claim,
      )
      await route.fulfill({ response, json: { status, data: { claims } } })
    })
    await openPath('/services')
    await findCard('24/7 Support').getByText(words, { exact: true }).waitFor()
  })
})

describe('the page Status', () => {
  const STATUS = '**/api/v1/public/status'

  /** Answers with the state of each part; with `working` if the state is not given. */
  async function answerWith(states: Readonly<Record<string, string>>): Promise<void> {
    await page.route(STATUS, async (route) => {
      const response = await route.fetch()
      const { status, data } = await response.json()
      const parts = data.parts.map(({ part }: { part: string }) => ({
        part,
        state: states[part] ?? 'working',
      }))
      await route.fulfill({ response, json: { status, data: { ...data, parts } } })
    })
  }

  const readFirstLine = () =>
    page.getByRole('region', { name: 'Now' }).locator('p, li').nth(1).textContent()

  test.each([
    [{}, 'All systems working'],
    [{ mail: 'away' }, 'Not all systems are working: Email'],
    [{ ledger: 'unknown', mail: 'delayed' }, 'Not all systems are working: Ledger, Email'],
  ])('begins with one sentence about all parts: %j', async (states, sentence) => {
    await answerWith(states)
    await openPath('/status')
    await waitUntilLoaded(page)
    expect(await readFirstLine()).toBe(sentence)
  })

  test('does not say that systems work if their state cannot be read', async () => {
    await page.route(STATUS, (route) => route.abort())
    await openPath('/status')
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'The state of the site could not be read.' })
    const again = alert.getByRole('button', { name: 'Check again' })
    await again.waitFor()
    expect(await page.getByText('systems working').count()).toBe(0)
    await page.unroute(STATUS)
    await again.click()
    await page.getByText(/systems (are )?working/).waitFor()
  })
})

test('the footer names the operator and links to the legal texts, or says what is missing', async () => {
  const footer = page.getByRole('contentinfo')
  await openPath('/contact_us')
  for (const missing of ['Operator: not stated', 'Terms of use: not published']) {
    await footer.getByText(missing, { exact: true }).waitFor()
  }
  const url = 'https://example.com/terms'
  const [legalName, privacyUrl] = ['Cairn Demo Ltd', `${url}#privacy`]
  await changeSettings(platform, 'general', { legalName, termsUrl: url, privacyUrl })
  onTestFinished(() =>
    changeSettings(platform, 'general', { legalName: null, termsUrl: null, privacyUrl: null }),
  )
  await page.reload()
  await footer.getByText('Operator: Cairn Demo Ltd', { exact: true }).waitFor()
  for (const [name, address] of [
    ['Terms of use', url],
    ['Privacy notice', privacyUrl],
  ] as const) {
    const link = footer.getByRole('link', { name })
    await expect.poll(() => link.getAttribute('href')).toBe(address)
  }
})
