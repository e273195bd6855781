import { expect, test } from 'vitest'
import { addInvestor, signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'

useSharedSite()

test.each([390, 1_440])(
  'the form says why an amount cannot be invested, at %i px',
  async (width) => {
    const person = await addInvestor(platform, { balance: 3_000 })
    await page.setViewportSize({ width, height: 900 })
    await signIn(page, platform, person)
    await openPath('/manage/investor/investments?view=new')
    const main = page.getByRole('main')
    const amount = page.getByLabel('Amount', { exact: true })
    const deposit = main.getByRole('link', { name: 'Deposit Funds' })
    const choose = (plan: string) =>
      main
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name: plan }) })
        .getByRole('button', { name: 'Select' })
        .click()
    const tryToInvest = async (typed: string) => {
      await amount.fill(typed)
      await main
        .locator('form')
        .getByRole('button', { name: /^Invest/ })
        .click()
    }
    /** The first text is the error of the field. The second one is the advice below the button. */
    const expectWords = async (error: string, advice: string | null) => {
      await main.getByText(error, { exact: true }).waitFor()
      expect(await amount.getAttribute('aria-invalid')).toBe('true')
      const status = main.locator('form [role=status]').last()
      await expect.poll(async () => (await status.textContent()) || null).toBe(advice)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }

    await choose('Starter')
    await tryToInvest('99.99')
    await expectWords('The selected plan requires a minimum deposit of $100', null)
    await tryToInvest('2500.01')
    await expectWords("You can't invest more than $2,500 on this plan", null)
    expect(await deposit.count()).toBe(0)
    // A deposit would not help, because the plan takes less than the wallet has.
    await tryToInvest('3000.01')
    await expectWords(
      'Insufficient wallet balance',
      'Enter an amount up to $2,500, the most that this plan takes.',
    )
    expect(await deposit.count()).toBe(0)

    await choose('Growth')
    await tryToInvest('3000.01')
    await expectWords(
      'Insufficient wallet balance',
      'Enter an amount up to $3,000 or fund your wallet.Deposit Funds',
    )
    await tryToInvest('3000')
    await main.getByText('Confirm the statements before you invest.').waitFor()
    expect(await amount.getAttribute('aria-invalid')).not.toBe('true')
    await main.getByText(/^You pay \$3,000\.00\. By .+ is due to you in total/).waitFor()
    await main.getByLabel(/I understand that profit is not guaranteed/).check()
    await main.getByRole('button', { name: 'Invest $3,000' }).click()
    await page.getByText('Investment successful!').waitFor()
  },
)
