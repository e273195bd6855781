import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { signIn } from './people.ts'
import { browser, openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { openWindow, waitPastRetries, waitUntilLoaded } from './visit.ts'

useSharedSite()

const READS = '**/api/v1/**'
const SCRIPTS = '**/assets/*.js'
const DRAWN = ['/', '/about_us', '/services', '/investment', '/contact_us', '/faqs']
const CLAIMS = 'This information could not be loaded.'

/** Returns the proportion of prerendered elements that are still in the page after hydration. */
async function measureReusedShare(path: string): Promise<number> {
  const scripts = Promise.withResolvers<void>()
  await page.route(SCRIPTS, async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(`${platform.url}${path}`, { waitUntil: 'commit' })
  await page.locator('#root[data-drawn] + noscript').waitFor({ state: 'attached' })
  const drawn = await page.locator('#root[data-drawn] :is(h1, p, a, svg)').elementHandles()
  scripts.resolve()
  await waitUntilLoaded(page)
  await page.unroute(SCRIPTS)
  const isKept = await Promise.all(drawn.map((each) => each.evaluate((node) => node.isConnected)))
  return isKept.filter(Boolean).length / isKept.length
}

describe('prerendered HTML', () => {
  test('is reused completely by hydration', async () => {
    for (const path of DRAWN) expect(await measureReusedShare(path), path).toBe(1)
    await page.getByText(`© Cairn ${new Date().getFullYear()}`).waitFor()
  })

  test('is reused for a signed-in user with the dark theme, except for a few personal texts', async () => {
    await signIn(page, platform, LOGINS.investor)
    await openPath('/manage/investor/dashboard')
    await page.evaluate(() => localStorage.setItem('cairn.theme', 'dark'))
    for (const path of DRAWN) expect(await measureReusedShare(path), path).toBeGreaterThan(0.8)
    await page.getByRole('link', { name: 'Dashboard' }).waitFor()
    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
  })

  test('is replaced where the content depends on the address or on browser storage', async () => {
    expect(await measureReusedShare('/users/login?message=Logged%20out')).toBe(0)
  })
})

test('the landing page does not wait for the number formats of the browser', async () => {
  const window = await openWindow(browser, { width: 390, height: 844, theme: 'light' })
  await window.addInitScript(() => {
    for (const { prototype } of [Number, BigInt]) {
      prototype.toLocaleString = () => {
        throw new Error('the page used a number format of the browser')
      }
    }
  })
  await window.goto(platform.url)
  await waitUntilLoaded(window)
  await expect.poll(() => window.getByText('48 hours').count()).toBe(1)
  await window.context().close()
})

async function addLosingPlan(): Promise<void> {
  const { email, password } = LOGINS.admin
  const admin = await logInAs(platform.url, email, password)
  const answer = await admin.send('POST', 'plans', {
    name: 'Losing',
    planDuration: 48,
    timingParameter: 'hours',
    minDeposit: '10',
    percentage: '3',
    returnPrincipal: false,
  })
  expect(answer.status).toBe(201)
}

describe('the landing page', () => {
  test('shows a coverage whose parts and lines add up to the cash', async () => {
    await openPath('/')
    await waitUntilLoaded(page)
    const figure = page.locator('figure').filter({ hasText: 'Reserve coverage' })
    const readCents = async (cells: string) => {
      const amounts = await figure.locator(cells).allTextContents()
      return amounts.map((text) => BigInt(text.replace('\u2212', '-').replaceAll(/[^-\d]/g, '')))
    }
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
    const parts = await readCents('dl dd')
    const cash = parts.pop()
    expect(parts).toHaveLength(3)
    expect(sum(parts)).toBe(cash)
    const lines = await readCents('td')
    expect(lines).toHaveLength(8)
    expect(sum(lines.slice(0, -1))).toBe(lines.at(-1))
    expect(lines.at(-1)).toBe(cash)
  })

  test('compares the plans for an amount, and says why a plan cannot have it', async () => {
    await addLosingPlan()
    await openPath('/')
    await waitUntilLoaded(page)
    const findRow = (plan: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: plan, exact: true }) })
    const amount = page.getByLabel('If you invest')
    await expect.poll(() => amount.inputValue()).toBe('1,000')
    await expect.poll(() => findRow('Starter').textContent()).toContain('$1,050.00')
    expect(await findRow('Starter').textContent()).not.toContain('You lose $')
    await expect.poll(() => findRow('Pro').textContent()).toContain('Below $2,000 minimum')
    await amount.fill('10')
    await findRow('Losing').getByText('You lose $9.70.').waitFor()
    await expect.poll(() => findRow('Starter').textContent()).toContain('Below $100 minimum')
    await amount.fill('30000')
    await expect.poll(() => findRow('Growth').textContent()).toContain('Above $10,000 maximum')
    await amount.fill('ten')
    await page.getByText('Enter an amount with at most two decimals').waitFor()
    await expect
      .poll(() => findRow('Starter').getByRole('link', { name: 'Invest Now' }).isVisible())
      .toBe(true)
  })

  test('marks a proved claim as demo evidence, with its limit in the size of the claim', async () => {
    await openPath('/')
    await waitUntilLoaded(page)
    const claim = page.getByRole('listitem').filter({ hasText: '100% profit guarantee' })
    await claim.getByText('Demo evidence').waitFor()
    expect(await page.getByText('Measured here').count()).toBe(0)
    const limit = claim.getByText(/^Your principal, and anything/)
    const title = claim.getByRole('heading', {
      name: 'Promised profit covered by the reserve today',
    })
    expect(await limit.evaluate(readFontSize)).toBe(await title.evaluate(readFontSize))
    await expect
      .poll(() => claim.getByRole('definition').allTextContents())
      .toContain(
        'Means only that the reserve in the ledger covers this profit today; it is not a legal guarantee',
      )
  })

  test('has the words of the page Claims for a claim of a demo', async () => {
    await signIn(page, platform, LOGINS.admin)
    await openPath('/manage/admin/claims')
    const row = page.getByRole('row').filter({ hasText: '100% profit guarantee' })
    await row.getByText('Demo evidence', { exact: true }).waitFor()
    expect(await page.getByText('Measured here').count()).toBe(0)
  })

  test('takes both figures of the reserve from one answer', async () => {
    await page.route('**/api/v1/public/coverage', async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const coverage = { ...data.coverage, committed: 4_321.09, shortfall: 0, percentage: 100 }
      await route.fulfill({ response, json: { status: 'success', data: { coverage } } })
    })
    await openPath('/')
    await waitUntilLoaded(page)
    await page.unrouteAll({ behavior: 'wait' })
    const figure = page.locator('figure').filter({ hasText: 'Reserve coverage' })
    await expect.poll(() => figure.locator('dl dd').allTextContents()).toContain('+ $4,321.09')
    await page.getByText('$4,321.09 covers $4,321.09 promised on active plans (100%)').waitFor()
  })

  test('states first what the payment accounts lack, and otherwise the coverage', async () => {
    const shortages = [
      { lack: 12.5, first: /^Payment accounts hold \$12\.50 less than is owed to investors\./ },
      { lack: 0, first: /^\d+%$/ },
    ]
    for (const { lack, first } of shortages) {
      await page.route('**/api/v1/public/coverage', async (route) => {
        const response = await route.fetch()
        const { coverage } = (await response.json()).data
        const paymentAccounts = coverage.liabilities - lack
        const changed = { ...coverage, paymentAccounts }
        await route.fulfill({ response, json: { status: 'success', data: { coverage: changed } } })
      })
      await openPath('/')
      await waitUntilLoaded(page)
      await page.unrouteAll({ behavior: 'wait' })
      const figure = page.locator('figure').filter({ hasText: 'Reserve coverage' })
      await expect.poll(() => figure.locator('p').first().textContent()).toMatch(first)
    }
  })

  test('shows what is not claimed without a click', async () => {
    await openPath('/')
    await waitUntilLoaded(page)
    const heading = page.getByRole('heading', { name: /^What we don’t claim/ })
    const texts = heading.locator('xpath=following-sibling::ul').getByRole('listitem')
    await texts.first().waitFor()
    for (const text of await texts.all()) {
      const title = text.getByRole('heading', { name: /^Not claimed: ./ })
      await expect.poll(() => title.isVisible()).toBe(true)
      // The missing evidence opens without a script.
      const evidence = text.locator('details > p')
      expect(await evidence.first().isVisible()).toBe(false)
      await text.locator('summary').click()
      await expect.poll(() => evidence.first().textContent()).toMatch(/^Needs: ./)
      await expect.poll(() => evidence.first().isVisible()).toBe(true)
    }
    expect(await heading.locator('xpath=ancestor::details').count()).toBe(0)
  })

  test('states the risk without scripts, and shows no placeholder for what cannot load', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const silent = await context.newPage()
    await silent.goto(platform.url)
    // Searches by text ignore `noscript`.
    const texts = silent.locator('main noscript p')
    const shown = await Promise.all(
      (await texts.all()).map(async (text) => [await text.isVisible(), await text.textContent()]),
    )
    expect(shown).toContainEqual([true, expect.stringContaining('what we don’t claim')])
    expect(shown).toContainEqual([true, expect.stringContaining('you can lose all the money')])
    const places = await silent.locator('.animate-pulse-soft').all()
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) expect(await place.isVisible()).toBe(false)
    await silent.goto(`${platform.url}/risk`)
    await expect
      .poll(() => texts.allTextContents())
      .toEqual([
        'The warning of your country needs JavaScript. You can lose all the money you invest.',
        'The fees and limits need JavaScript.',
      ])
    await expect.poll(() => texts.first().isVisible()).toBe(true)
    await context.close()
  })

  test('does not render an x between digits as a multiplication sign', async () => {
    await openPath('/')
    await waitUntilLoaded(page)
    const measureWidth = (style: string) =>
      page.evaluate((text) => {
        const probe = document.createElement('span')
        probe.style.cssText = `position: absolute; font-size: 100px; ${text}`
        probe.textContent = '1x1'
        document.body.append(probe)
        const { width: found } = probe.getBoundingClientRect()
        probe.remove()
        return found
      }, style)
    const letter = await measureWidth('font-feature-settings: "calt" 0')
    expect(await measureWidth('font-variant-ligatures: contextual')).not.toBe(letter)
    expect(await measureWidth('')).toBe(letter)
  })
})

function readFontSize(node: Element): string {
  return getComputedStyle(node).fontSize
}

async function answerWithFailure(route: Route): Promise<void> {
  const body = { status: 'error', message: 'Something went very wrong!', code: 'INTERNAL' }
  await route.fulfill({ status: 500, json: body })
}

/**
 * Presses Retry in the first alert that contains the sentence, and waits until the data has loaded.
 */
async function retryReading(sentence: string): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: sentence })
  await alert.first().getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => page.getByText(sentence).count()).toBe(0)
  await waitUntilLoaded(page)
}

const FAILED = [
  {
    path: '/',
    says: ['The coverage could not be loaded.', CLAIMS, 'The plans could not be loaded.'],
  },
  { path: '/about_us', says: [CLAIMS] },
  { path: '/services', says: [CLAIMS], never: 'Support hours are not published' },
  { path: '/investment', says: [CLAIMS], never: 'states no licence' },
  {
    path: '/contact_us',
    says: ['The contact details could not be loaded.', 'The questions could not be loaded.'],
    never: 'has not supplied',
  },
  { path: '/faqs', says: ['The questions could not be loaded.'], never: 'no questions yet' },
]

test('the demo bar of the signed-in area does not move the page when it appears', async () => {
  await signIn(page, platform, LOGINS.investor)
  const settings = Promise.withResolvers<void>()
  await page.route('**/api/v1/public/settings', async (route) => {
    await settings.promise
    await route.continue()
  })
  await openPath('/manage/investor/settings')
  const main = page.getByRole('main')
  await main.waitFor()
  const before = await main.boundingBox()
  settings.resolve()
  await page.getByRole('complementary', { name: 'Demo' }).waitFor()
  expect((await main.boundingBox())?.y).toBe(before?.y)
})

describe('data that a public page cannot load', () => {
  test.each(FAILED)(
    'shows an error on $path and can be requested again',
    async ({ path, says, never = 'Example' }) => {
      await page.clock.install()
      await page.route(READS, answerWithFailure)
      await openPath(path)
      for (const sentence of says) await waitPastRetries(page.getByText(sentence).first())
      await waitUntilLoaded(page)
      const words = await page.getByRole('main').textContent()
      expect(words).not.toContain(never)
      expect(words).not.toContain('Something went very wrong')
      await page.unroute(READS)
      for (const sentence of says) await retryReading(sentence)
    },
  )

  test('keeps its error, with a pending button, until it is answered', async () => {
    await page.clock.install()
    await page.route('**/api/v1/plans', answerWithFailure)
    await openPath('/')
    const alert = page.getByRole('alert').filter({ hasText: 'The plans could not be loaded.' })
    const retry = alert.getByRole('button', { name: 'Retry' })
    await waitPastRetries(retry)
    await page.unroute('**/api/v1/plans')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/plans', async (route) => {
      await answer.promise
      await route.continue()
    })
    await retry.click()
    await expect.poll(() => retry.getAttribute('aria-busy')).toBe('true')
    expect(await retry.isDisabled()).toBe(true)
    answer.resolve()
    await alert.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Starter', exact: true }).first().waitFor()
  })

  test('shows no statement while it is loading', async () => {
    await page.route(READS, () => {})
    for (const { path, never = 'Example' } of FAILED) {
      await page.goto(`${platform.url}${path}`)
      await page.waitForFunction(() => document.querySelector('#root[data-drawn]') === null)
      await page.locator('main .animate-pulse-soft').first().waitFor()
      expect(await page.getByRole('main').textContent(), path).not.toContain(never)
    }
  })

  test('can be requested again within the registration form', async () => {
    await page.clock.install()
    await openPath('/users/register')
    await page.getByLabel('Fullname').fill('Ada Walker')
    await page.getByLabel('Gender').selectOption('Female')
    await page.getByLabel('Phone').fill('+44 20 7946 0000')
    await page.getByLabel('Email').fill('ada.countries@example.com')
    await page.getByLabel('Password', { exact: true }).fill('granite-and-heather-17')
    await page.getByLabel('Confirm password').fill('granite-and-heather-17')
    await page.route(READS, answerWithFailure)
    await page.getByRole('button', { name: 'Next' }).click()
    await waitPastRetries(page.getByText('The list of countries could not be loaded.'))
    await page.unroute(READS)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByLabel('Country').selectOption('GB')
  })
})
