import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { changeSettings } from './site-settings.ts'

useSharedSite()

/** The country of this investor only, so that the change of the text concerns no other test. */
const COUNTRY = 'IS'
const setText = (text: string) =>
  changeSettings(platform, 'general', { riskTexts: [{ country: COUNTRY, text }] })

// The wallet has enough for a second investment, which must not be opened.
test('an investment whose answer is lost is opened once, although the risk warning changes', async () => {
  const person = await addInvestor(platform, { country: COUNTRY, balance: 7_000 })
  await setText('You can lose the money.')
  await signIn(page, platform, person)
  await openPath('/manage/investor/investments?view=new')
  const main = page.getByRole('main')
  await main
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Growth' }) })
    .getByRole('button', { name: 'Select' })
    .click()
  await page.getByLabel('Amount', { exact: true }).fill('3000')
  // The server records the investment, and its answer does not reach the page. The page receives the
  // failure only after the text has changed.
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (init?.method !== 'POST' || !String(input).endsWith('/users/me/investments')) return answer
      window.fetch = fetch
      document.documentElement.dataset.answered = 'true'
      await new Promise((done) => window.addEventListener('lose-answer', done, { once: true }))
      throw new TypeError('Failed to fetch')
    }
  })
  const confirmation = main.getByLabel(/I understand that profit is not guaranteed/)
  const invest = main.getByRole('button', { name: 'Invest $3,000' })
  await main.getByText('You can lose the money.').waitFor()
  await confirmation.check()
  await invest.click()
  await page.locator('html[data-answered]').waitFor()
  await setText('You can lose all of the money.')
  await page.evaluate(() => window.dispatchEvent(new Event('lose-answer')))
  await page.getByText('No response received from the server.').waitFor()
  await main.getByText('You can lose all of the money.').waitFor()
  await confirmation.check()
  await invest.click()
  await page.getByText('Investment successful!').waitFor()
  await changeSettings(platform, 'general', { riskTexts: [] })
  const api = await logInAs(platform.url, person.email, person.password)
  const { investments } = (await api.get('users/me/investments')).body.data
  expect(investments).toHaveLength(1)
})
