import { describe, expect, onTestFinished, test } from 'vitest'
import { runSqlAsSuperuser } from './intruder.ts'
import { addInvestor, openAdminApi, requestDeposit, signIn } from './people.ts'
import { createReceiptPng } from './picture.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

describe('the payment proof of an investor', () => {
  const RECEIPT = '**/api/v1/transactions/*/receipt'
  const FAILED = 'Your payment proof could not be loaded.'
  const panel = () => page.getByRole('dialog')
  const picture = () => panel().getByRole('img', { name: /^Your payment proof/ })

  /** Requests a deposit in the name of a new person, and returns the path of its panel. */
  async function createProof(): Promise<{ path: string; email: string }> {
    const person = await addInvestor(platform)
    const { id } = await requestDeposit(platform, person, '71')
    await signIn(page, platform, person)
    return { path: `/manage/investor/transactions?transaction=${id}#proof`, email: person.email }
  }

  test.each([
    ['without a connection', null],
    ['that was deleted', 404],
    ['of a server in trouble', 503],
  ])('%s is reported, and loads again', async (_, status) => {
    const { path } = await createProof()
    await page.route(RECEIPT, (route) => {
      if (status === null) return route.abort()
      return route.fulfill({ status, json: { status: 'error', message: 'No such picture' } })
    })
    await openPath(path)
    await panel().getByRole('alert').filter({ hasText: FAILED }).waitFor()
    expect(await picture().count()).toBe(0)
    await page.unroute(RECEIPT)
    await panel().getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => picture().evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(64)
    expect(await panel().getByText(FAILED).count()).toBe(0)
  })

  test('that was exchanged in the database is not shown, and the person learns it', async () => {
    const { path, email } = await createProof()
    await runSqlAsSuperuser(
      platform,
      `update platform.file set bytes = bytes || '\\x00' from identity.user
       where owner_id = "user".id and email = '${email}'`,
    )
    await openPath(path)
    const alert = panel().getByRole('alert')
    await alert
      .filter({
        hasText: 'The stored picture is not the one that you uploaded, so it is not shown.',
      })
      .filter({ hasText: 'Keep your own copy and contact us.' })
      .waitFor()
    // The bytes stay the same, so another attempt cannot help.
    expect(await panel().getByRole('button', { name: 'Retry' }).count()).toBe(0)
    expect(await picture().count()).toBe(0)
  })
})

describe.each([390, 1_440])('the QR code of a payment option at %i px', (width) => {
  const IMAGE = '**/api/v1/paymentOptions/*/image*'
  const BANK = 'USDT on Tron'
  const picture = () => page.getByRole('img', { name: /^QR code of the address/ })

  /** Uploads a QR code in the name of an administrator. It is removed after the test. */
  async function uploadCode(): Promise<void> {
    const admin = await openAdminApi(platform)
    const { paymentOptions } = (await admin.get('paymentOptions')).body.data
    const { id } = paymentOptions.find(({ bank }: { bank: string }) => bank.startsWith(BANK))
    const form = new FormData()
    form.set('image', createReceiptPng(), 'code.png')
    expect((await admin.send('PATCH', `paymentOptions/${id}`, form)).status).toBe(200)
    onTestFinished(async () => {
      await runSqlAsSuperuser(platform, 'update platform.payment_option set image_id = null')
    })
  }

  async function openOption(): Promise<void> {
    await page.setViewportSize({ width, height: 900 })
    await signIn(page, platform, LOGINS.investor)
    await openPath('/manage/investor/deposit')
    await page.getByRole('button', { name: new RegExp(BANK) }).click()
    await page.getByRole('heading', { name: 'Enter Deposit Details' }).waitFor()
    await waitUntilLoaded(page)
  }

  async function readTopOfForm(): Promise<number> {
    const box = await page.getByLabel('Amount').boundingBox()
    if (box === null) throw new Error('the form is hidden')
    return box.y
  }
  const ADVICE = 'Use the address above instead.'

  test('that cannot be loaded is reported, and loads again', async () => {
    await uploadCode()
    const answer = Promise.withResolvers<void>()
    await page.route(IMAGE, async (route) => {
      await answer.promise
      await route.abort()
    })
    await openOption()
    const before = await readTopOfForm()
    answer.resolve()
    const alert = page.getByRole('alert').filter({ hasText: 'The QR code could not be loaded.' })
    await alert.waitFor()
    // The server did not say why, so the code and its address can have been changed.
    expect(await alert.textContent()).not.toContain(ADVICE)
    // The message does not move the form below it.
    expect(await readTopOfForm()).toBe(before)
    await page.unroute(IMAGE)
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => picture().evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(64)
    expect(await readTopOfForm()).toBe(before)
  })

  test('that the server does not have leads to the address above it', async () => {
    await uploadCode()
    await page.route(IMAGE, (route) => {
      const json = { status: 'error', message: 'No such picture', code: 'NOT_FOUND' }
      return route.fulfill({ status: 404, json })
    })
    await openOption()
    await page.getByRole('alert').filter({ hasText: ADVICE }).waitFor()
    await page.unroute(IMAGE)
  })

  test('that was exchanged in the database is not shown, for the investor and the administrator', async () => {
    await uploadCode()
    const change = (bytes: string) =>
      runSqlAsSuperuser(
        platform,
        `update platform.file set bytes = ${bytes}
         where id in (select image_id from platform.payment_option)`,
      )
    await change("bytes || '\\x00'")
    await openOption()
    const sentence = 'The stored QR code is not the one that was uploaded, so it is not shown.'
    const alert = page.getByRole('alert').filter({ hasText: sentence })
    await alert.filter({ hasText: 'Contact us before you send money.' }).waitFor()
    expect(await picture().count()).toBe(0)
    // A later read could fail for another reason, and must not replace the warning.
    const reads: string[] = []
    page.on('request', (request) => reads.push(request.url()))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(reads.filter((url) => /paymentOptions.*image/.test(url))).toEqual([])

    await page.setViewportSize({ width: 1_440, height: 900 })
    await signIn(page, platform, LOGINS.admin)
    await openPath('/manage/admin/payment_options')
    await page.getByRole('row').filter({ hasText: BANK }).getByRole('button').click()
    await alert.filter({ hasText: 'upload the QR code again' }).waitFor()
    // A second upload of the same picture finds the stored row.
    await change('substring(bytes for length(bytes) - 1)')
  })
})
