import { expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { listMails, waitForMail } from './mailbox.ts'
import { addInvestor, type Person, signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWatched } from './watched-window.ts'

// Announcements of a kind are at least 24 hours apart. No other file sends promotional offers.

useSharedSite()

const SUBJECT = 'A plan of 30 days opens'

const addPerson = (name: string) => addInvestor(platform, { name, balance: 0, hasBank: false })

async function askForOffers({ email, password }: Person): Promise<void> {
  const own = await logInAs(platform.url, email, password)
  const { status } = await own.send('PUT', 'users/me/preferences', { promotionalOffers: true })
  expect(status).toBe(200)
}

async function writeOffer(): Promise<void> {
  await page.getByRole('button', { name: 'New announcement' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Kind').selectOption('Promotional offer')
  await panel.getByLabel('Subject').fill(SUBJECT)
  await panel.getByLabel('Text').fill('It opens on Monday.\n\nRead its terms first.')
  await panel.getByRole('button', { name: 'Continue' }).click()
  await panel.locator('figcaption').getByText(SUBJECT).waitFor()
}

test('an offer reaches who asked for it, and its link switches the emails off without a login', async () => {
  const first = await addPerson('Willa Willing')
  const unasked = await addPerson('Una Unasked')
  const last = await addPerson('Wim Willing')
  await askForOffers(first)
  await askForOffers(last)

  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/announcements')
  await writeOffer()
  const panel = page.getByRole('dialog')
  await page.keyboard.press('Escape')
  await panel.getByText('Discard what you entered?').waitFor()
  await panel.getByRole('button', { name: 'Keep editing' }).click()
  await panel.frameLocator('iframe').getByText('You can lose all the money you invest.').waitFor()
  await panel.getByText('Sends to 2 people now. It cannot be taken back.').waitFor()
  await panel.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('The announcement is being sent to 2 people.').waitFor()
  await page.getByRole('row', { name: /A plan of 30 days opens.*2/ }).waitFor()

  const wanted = { subject: new RegExp(SUBJECT) }
  const mail = await waitForMail(platform.mailUrl, { ...wanted, to: first.email })
  // The mails are sent in the order of the people, so the person in between would have one.
  await waitForMail(platform.mailUrl, { ...wanted, to: last.email })
  const others = await listMails(platform.mailUrl, unasked.email)
  expect(others.filter(({ subject }) => subject === SUBJECT)).toEqual([])
  expect(mail.text).toContain('You can lose all the money you invest.')
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')

  const link = /Unsubscribe from promotional offers: (\S+)/.exec(mail.text)?.[1] ?? ''
  expect(mail.headers['list-unsubscribe']).toBe(`<${link}>`)
  const stranger = await openWatched(browser)
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'Stop receiving promotional offers?' }).waitFor()
  const own = await openWatched(browser)
  await signIn(own, platform, first)
  const openChoices = () => own.goto(`${platform.url}/manage/investor/settings?tab=notifications`)
  const choice = own.getByRole('switch', { name: 'Promotional offers' })
  await openChoices()
  await expect.poll(() => choice.isChecked()).toBe(true)

  await stranger.getByRole('button', { name: 'Unsubscribe' }).click()
  await stranger.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  await openChoices()
  await own.getByText('Promotional offers').waitFor()
  await expect.poll(() => choice.isChecked()).toBe(false)
  await own.goto(`${platform.url}/manage/investor/notifications`)
  await own.getByText(SUBJECT).waitFor()

  // The next offer must wait, and the page says until when.
  await openPath('/manage/admin/announcements')
  await writeOffer()
  await panel.getByText('The next one can be sent from').waitFor()
  expect(await panel.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
})

test('an announcement without a subject or a text is refused before its preview', async () => {
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/announcements')
  await page.getByRole('heading', { name: 'Sent announcements' }).waitFor()
  await page.getByRole('button', { name: 'New announcement' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Continue' }).click()
  await panel.getByText('Subject is required').waitFor()
  await panel.getByText('Text is required').waitFor()
})
