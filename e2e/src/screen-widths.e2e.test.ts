import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addInvestor, requestDeposit, signIn } from './people.ts'
import { browser, platform, useSharedSite } from './shared-site.ts'
import { LOGINS, listSitePages, type Visitor } from './site-pages.ts'
import { waitPastRetries, waitUntilLoaded } from './visit.ts'
import { openWatched } from './watched-window.ts'

useSharedSite()

const WIDE = { width: 1_920, height: 1_080 }
/** The width of an upright tablet, which is the narrowest one with tables. */
const MIDDLE = { width: 768, height: 1_024 }
const READS = '**/api/v1/**'
/** Requests that a signed-in page needs before it sends others. */
const FRAME = /public\/settings|users\/me$|users\/me\/preferences|csrf|v1\/events\?/
/** The style sheet allows about 80 letters. A line of narrow letters has a few more. */
const MAX_LETTERS = 90

async function openAs(visitor: Visitor, size: { width: number; height: number }): Promise<Page> {
  const window = await openWatched(browser, { ...size, theme: 'light' })
  const login = LOGINS[visitor]
  if (login !== null) await signIn(window, platform, login)
  return window
}

async function findLongLines(window: Page): Promise<readonly string[]> {
  return window.evaluate((maxLetters) => {
    const long: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const text = node.textContent?.trim() ?? ''
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      // The risk banner has one line on purpose. The cells of a table have the width of a column.
      const isException = node.parentElement?.closest('[aria-label="Risk"], table, script, style')
      if (isException === null && lines.size > 0 && text.length / lines.size > maxLetters) {
        long.push(text)
      }
    }
    return long
  }, MAX_LETTERS)
}

/** The pages with texts. */
const TEXT_PAGES = {
  visitor: /./,
  investor: /referrals|settings/,
  admin: /settings|checkpoints|audit|jobs|plans|users\//,
} as const

test.each(['visitor', 'investor', 'admin'] as const)(
  'no line of text is too long for a reader on a wide screen (%s)',
  async (visitor) => {
    const window = await openAs(visitor, WIDE)
    const found: string[] = []
    for (const { name, path } of await listSitePages(visitor, platform)) {
      if (!TEXT_PAGES[visitor].test(name)) continue
      await window.goto(`${platform.url}${path}`)
      await waitUntilLoaded(window)
      for (const text of await findLongLines(window)) found.push(`${name} ${text}`)
    }
    expect(found).toEqual([])
  },
)

test('its sabotaged twin: a text as wide as the page is reported', async () => {
  const window = await openAs('visitor', WIDE)
  await window.goto(`${platform.url}/faqs`)
  await waitUntilLoaded(window)
  await window.evaluate(() => {
    const late = document.createElement('p')
    late.textContent = 'A text without a limit of its width. '.repeat(4)
    document.getElementById('main')?.append(late)
  })
  expect(await findLongLines(window)).toHaveLength(1)
})

test.each([
  ['investor', 1_440],
  ['investor', WIDE.width],
  ['admin', 1_440],
  ['admin', WIDE.width],
] as const)(
  'the bars of the page begin and end with the content (%s, %i px)',
  async (visitor, width) => {
    const window = await openAs(visitor, { ...WIDE, width })
    await window.goto(`${platform.url}/manage/${visitor}/transactions`)
    await waitUntilLoaded(window)
    const findEdges = async (target: Locator) => {
      const box = await target.boundingBox()
      return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) }
    }
    const content = await findEdges(window.locator('main > header'))
    expect((await findEdges(window.getByRole('search'))).left).toBe(content.left)
    const account = window.getByRole('button', { name: /^Account of / })
    expect((await findEdges(account)).right).toBe(content.right)
    if (visitor === 'investor') return
    const mode = window.getByRole('complementary', { name: 'Dual control' }).getByRole('link')
    expect((await findEdges(mode)).left).toBe(content.left)
  },
)

/**
 * Opens a page whose answers are held back, so that it shows its placeholders. Returns a function that
 * lets the answers pass.
 */
async function openHeld(window: Page, path: string): Promise<() => Promise<void>> {
  const answers = Promise.withResolvers<void>()
  await window.route(READS, async (route) => {
    if (!FRAME.test(route.request().url())) await answers.promise
    await route.continue().catch(() => {})
  })
  await window.goto(`${platform.url}${path}`)
  await window.locator('main .animate-pulse-soft').first().waitFor()
  await window.evaluate(() => document.fonts.ready.then(() => null))
  return async () => {
    answers.resolve()
    await waitUntilLoaded(window)
    await window.unroute(READS)
  }
}

/** Lists with rows in the demo. */
const LISTS = {
  investor: ['transactions', 'investments', 'referrals'],
  admin: ['transactions', 'investments', 'ledger', 'plans', 'referrals', 'audit', 'templates'],
} as const

test.each(['investor', 'admin'] as const)(
  'a list with placeholders in a table shows its rows in a table, at 768 px (%s)',
  async (visitor) => {
    const window = await openAs(visitor, MIDDLE)
    const forms: Record<string, { placeholders: number; rows: number }> = {}
    for (const list of LISTS[visitor]) {
      const release = await openHeld(window, `/manage/${visitor}/${list}`)
      const placeholders = await window.locator('main table[aria-hidden]').count()
      await release()
      await window.locator('main table:not([aria-hidden]), main [data-row]').first().waitFor()
      forms[list] = { placeholders, rows: await window.locator('main table').count() }
    }
    for (const [list, { placeholders, rows }] of Object.entries(forms)) {
      expect(rows, list).toBe(placeholders)
    }
    if (visitor === 'admin') expect(forms.ledger?.rows).toBe(1)
  },
)

test('a pending request shows its age, its proof and its buttons without scrolling sideways', async () => {
  const person = await addInvestor(platform, { balance: 0 })
  await requestDeposit(platform, person, '64')
  const search = new URLSearchParams({ status: 'pending', q: person.email })
  const window = await openAs('admin', WIDE)
  const found: Record<number, unknown> = {}
  const sizes = [390, 768, 1_280, 1_440]
  for (const width of sizes) {
    await window.setViewportSize({ width, height: 900 })
    await window.goto(`${platform.url}/manage/admin/transactions?${search}`)
    await waitUntilLoaded(window)
    const row = window.locator('main tbody tr, main ul[aria-label="Transactions"] li')
    const decline = await row.getByRole('button', { name: 'Decline', exact: true }).boundingBox()
    found[width] = {
      isTable: (await window.locator('main table').count()) === 1,
      // A proof that another test uploaded too has a warning, which also contains the word.
      texts: (await row.textContent())
        ?.match(/Payment proof|Proof(?! uploaded)|Waiting/g)
        ?.toSorted(),
      // The date and the age, which is in the future while a test has moved the clock.
      times: await row.locator('time').count(),
      isButtonInside: (decline?.x ?? width) + (decline?.width ?? 0) <= width,
      pageWidth: await window.evaluate(() => document.documentElement.scrollWidth),
    }
  }
  const cards = { isTable: false, texts: ['Payment proof', 'Waiting'] }
  const table = { isTable: true, texts: ['Proof'] }
  const forms = [cards, cards, table, table]
  sizes.forEach((width, at) => {
    expect(found[width]).toEqual({ ...forms[at], times: 2, isButtonInside: true, pageWidth: width })
  })
})

test('no name in the list of users is cut off at 768 px', async () => {
  const window = await openAs('admin', MIDDLE)
  await window.goto(`${platform.url}/manage/admin/users?q=Ada%20Keeper`)
  await waitUntilLoaded(window)
  const name = window.getByRole('main').getByText('Ada Keeper', { exact: true })
  expect(await name.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
})

test('a wallet address is whole on a phone, and its editor copies it', async () => {
  const window = await openAs('admin', { width: 390, height: 844 })
  await window.goto(`${platform.url}/manage/admin/payment_options`)
  await waitUntilLoaded(window)
  // The labels of the hidden menu are also one long word when no entry has a count.
  const address = window
    .getByRole('main')
    .getByText(/^[0-9A-Za-z]{26,}$/)
    .first()
  // The list first measures whether a table fits.
  const readPlace = () =>
    address.evaluate((it) => {
      const { left, right } = it.getBoundingClientRect()
      return { isInside: left >= 0 && right <= 390, cut: it.scrollWidth - it.clientWidth }
    })
  await expect.poll(readPlace).toEqual({ isInside: true, cut: 0 })
  const text = await address.textContent()
  await address.click()
  await window.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = window.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Copy the stored account/ }).click()
  await dialog.getByText('Copied to clipboard!').waitFor()
  expect(await window.evaluate(() => navigator.clipboard.readText())).toBe(text)
})

test('the columns of the footer begin below the right column of the page', async () => {
  const window = await openAs('visitor', { width: 1_440, height: 900 })
  await window.goto(`${platform.url}/verify`)
  await waitUntilLoaded(window)
  const column = await window.getByText(/^A receipt shows that the event is/).boundingBox()
  const footer = window.getByRole('contentinfo')
  const product = await footer.getByRole('heading', { name: 'Product' }).boundingBox()
  expect(product?.x).toBe(column?.x)
})

test('the footer of a short page is at the end of the window', async () => {
  const window = await openAs('visitor', WIDE)
  await window.clock.install()
  await window.route('**/api/v1/public/faqs*', (route) => route.fulfill({ status: 500, json: {} }))
  await window.goto(`${platform.url}/faqs`)
  await waitPastRetries(window.getByText('The questions could not be loaded.'))
  const end = await window
    .getByRole('complementary', { name: 'Demo' })
    .evaluate((bar) => [bar.getBoundingClientRect().bottom, document.documentElement.scrollHeight])
  expect(end).toEqual([WIDE.height, WIDE.height])
})

const ROWS = {
  placeholder: 'main [aria-hidden] tbody tr, main div[aria-hidden] > .py-3',
  loaded: 'main ul[aria-label] > li, main section tbody tr',
} as const
/** The placeholders of each page of an investor, and what they stand for. */
const STAND_INS = {
  transactions: ROWS,
  investments: ROWS,
  referrals: ROWS,
  deposit: {
    placeholder: 'main .border:has(> .animate-pulse-soft)',
    loaded: 'main .grid > button',
  },
} as const

test.each([390, 1_440])(
  'the placeholders of an investor have the height of the content, at %i px',
  async (width) => {
    const window = await openAs('investor', { width, height: 900 })
    const readMedian = async (selector: string) => {
      const heights = await window
        .locator(selector)
        .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height))
      return heights.toSorted((one, other) => one - other)[Math.floor(heights.length / 2)] ?? 0
    }
    for (const [name, { placeholder, loaded }] of Object.entries(STAND_INS)) {
      const release = await openHeld(window, `/manage/investor/${name}`)
      const before = await readMedian(placeholder)
      expect(before, name).toBeGreaterThan(40)
      await release()
      await window.locator(loaded).first().waitFor()
      // An address of a payment option can need a second line on a phone.
      const line = name === 'deposit' && width === 390 ? 20 : 0
      expect(Math.abs((await readMedian(loaded)) - before), name).toBeLessThanOrEqual(1 + line)
    }
  },
)
