import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

/** The number of points that are compared with the table. */
const COMPARED_POINTS = 40
/** The frames in which the page shows the next point. A busy machine draws them late. */
const FRAMES_MAX = 60
/** The size in CSS pixels of a page of A4 with margins of 1 cm. */
const PAPER = { width: 718, height: 1_047 }
const LETTER_HEIGHT_MIN = 8

type Chart = {
  visitor: 'investor' | 'admin'
  path: string
  /** The heading of the card, which also names the table. */
  title: string
  /** The name of the drawing. */
  drawing: string
  /** The button that shows the chart. */
  view?: string
  /** The answer that has the figures, and the names of its lists. */
  answer: RegExp
  lists: readonly string[]
  /** The figures that the chart draws; all figures by default. A list can have further ones. */
  drawn?: readonly string[]
  /** A part of the text without any figures. */
  empty: string
}

const CHARTS: readonly Chart[] = [
  {
    visitor: 'investor',
    path: '/manage/investor/dashboard',
    title: 'Net worth',
    drawing: 'Balance over time',
    answer: /stats\/users\/history/,
    lists: ['points'],
    empty: 'The chart starts when money first arrives',
  },
  {
    visitor: 'investor',
    path: '/manage/investor/dashboard',
    title: 'Net worth',
    drawing: 'Profit credited and promised',
    view: 'Profit ahead',
    answer: /stats\/users\/forecast/,
    lists: ['points'],
    empty: 'The chart appears when an investment is running.',
  },
  {
    visitor: 'admin',
    path: '/manage/admin/dashboard',
    title: 'Net flow',
    drawing: 'Net flow',
    answer: /stats\/admin\/history/,
    lists: ['flows'],
    drawn: ['deposits', 'withdrawals'],
    empty: 'No deposits or withdrawals in this period.',
  },
  {
    visitor: 'admin',
    path: '/manage/admin/dashboard',
    title: 'Maturities of the next 30 days',
    drawing: 'Maturities of the next 30 days',
    answer: /stats\/admin\/maturities/,
    lists: ['byDay'],
    empty: 'No investment ends in the next 30 days.',
  },
  {
    visitor: 'admin',
    path: '/manage/admin/reserve',
    title: 'Reserve coverage',
    drawing: 'Reserve coverage',
    answer: /stats\/admin\/history/,
    lists: ['coverage'],
    empty: 'No promised profit in this period.',
  },
  {
    visitor: 'admin',
    path: '/manage/admin/reserve',
    title: 'Promised profit by maturity',
    drawing: 'Promised profit by maturity',
    answer: /stats\/admin\/maturities/,
    lists: ['byDay'],
    empty: 'No investment ends in the next 90 days.',
  },
]

/** Opens the page of a chart and returns the card of the chart. */
async function openChart({ visitor, path, title, view }: Chart): Promise<Locator> {
  await signIn(page, platform, LOGINS[visitor])
  await openPath(path)
  await waitUntilLoaded(page)
  const card = page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    .filter({ has: page.getByRole('button', { name: 'Show as table', includeHidden: true }) })
  if (view !== undefined) await card.getByRole('button', { name: view }).click()
  return card
}

const findDrawing = (card: Locator, { drawing }: Chart) =>
  card.getByRole('application', { name: drawing, exact: true })

/** The text that a screen reader reads at the crosshair. */
const readAloud = async (card: Locator) => (await card.getByRole('status').textContent()) ?? ''

/** Returns the figures of the first points, as a screen reader reads them, by the name of the row. */
async function readPoints(
  card: Locator,
  chart: Chart,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await findDrawing(card, chart).focus()
  await expect.poll(() => readAloud(card)).not.toBe('')
  const spoken = new Map<string, readonly string[]>()
  for (let count = 0; count < COMPARED_POINTS; count += 1) {
    const [name, figures] = splitSpoken(await readAloud(card))
    if (spoken.has(name)) break
    spoken.set(name, figures)
    await page.keyboard.press('ArrowRight')
    await waitForAnotherText(card, name)
  }
  return spoken
}

/** Waits until another point is read. The last point stays, so the wait has a limit. */
async function waitForAnotherText(card: Locator, name: string): Promise<void> {
  const isSame = async () => splitSpoken(await readAloud(card))[0] === name
  for (let frames = 0; frames < FRAMES_MAX && (await isSame()); frames += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

/** Splits the text of a point into the name of the row and its figures. */
function splitSpoken(text: string): [name: string, figures: readonly string[]] {
  const [name = '', rest = ''] = text.split(/: (.*)/su)
  return [name, rest.split(/, (?=\D)/u).map((part) => toFigure(part.split(' ').at(-1) ?? ''))]
}

/** Removes the sign that only tables show. */
function toFigure(text: string): string {
  return text.replace(/^\+/u, '').replace('\u2212', '-')
}

/**
 * Keeps the first `count` rows of each list that have a drawn figure above zero, and moves them to
 * today. The first day of the demo in a range can have no such figure.
 */
async function keepFirst(on: Page, { answer, lists, drawn }: Chart, count: number): Promise<void> {
  const isDrawn = (row: Record<string, unknown>) =>
    Object.entries(row).some(([name, value]) => {
      return (drawn === undefined || drawn.includes(name)) && Number(value) > 0
    })
  await on.route(answer, async (route) => {
    const response = await route.fetch()
    const today = new Date().toISOString().slice(0, 10)
    const body = JSON.parse(await response.text(), (key, value) =>
      lists.includes(key) && Array.isArray(value)
        ? value
            .filter(isDrawn)
            .slice(0, count)
            .map((row) => ({ ...row, day: today }))
        : value,
    )
    await route.fulfill({ response, json: body })
  })
}

/**
 * A printed page keeps what its scripts have drawn, because the browser reports no new sizes before
 * it prints.
 */
function keepDrawingOnPaper(): void {
  const isPaper = () => 'isPaper' in window
  const Observer = window.ResizeObserver
  window.ResizeObserver = class extends Observer {
    constructor(report: ResizeObserverCallback) {
      super((...sizes) => {
        if (!isPaper()) report(...sizes)
      })
    }
  }
  const { addEventListener } = MediaQueryList.prototype
  MediaQueryList.prototype.addEventListener = function (
    this: MediaQueryList,
    type: string,
    listener: EventListener,
  ) {
    addEventListener.call(this, type, (event: Event) => {
      if (!isPaper()) listener(event)
    })
  }
}

/** Returns the boxes around a drawing that end before it does. */
function listCutFrames(svg: Element): readonly DOMRect[] {
  const box = svg.getBoundingClientRect()
  const frames: DOMRect[] = []
  for (let each = svg.parentElement; each?.tagName === 'DIV'; each = each.parentElement) {
    frames.push(each.getBoundingClientRect())
  }
  return frames.filter(({ right, bottom }) => right < box.right - 1 || bottom < box.bottom - 1)
}

describe.each(CHARTS)('the chart “$drawing”', (chart) => {
  test('is read with the arrow keys, as its table says; Escape removes the crosshair', async () => {
    const card = await openChart(chart)
    const spoken = await readPoints(card, chart)
    const last = await readAloud(card)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => readAloud(card)).not.toBe(last)
    const crosshair = card.locator('.recharts-tooltip-cursor')
    await crosshair.waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await expect.poll(() => readAloud(card)).toBe('')
    await crosshair.waitFor({ state: 'detached' })
    const drawing = findDrawing(card, chart)
    expect(await drawing.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => readAloud(card)).toBe(last)
    await card.getByRole('button', { name: 'Show as table' }).click()
    const rows = await card
      .getByRole('table', { name: chart.title })
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
      )
    const compared = rows.filter(([name = '']) => spoken.has(name))
    expect(compared.length).toBeGreaterThan(0)
    for (const [name = '', ...cells] of compared) {
      for (const cell of cells.filter((text) => text !== '')) {
        expect(spoken.get(name), `${name}: ${cell}`).toContain(toFigure(cell))
      }
    }
  })

  test('says that there are no figures, and draws a single point', async () => {
    await keepFirst(page, chart, 0)
    const card = await openChart(chart)
    await card.getByText(chart.empty).waitFor()
    expect(await card.getByRole('button', { name: 'Show as table' }).isDisabled()).toBe(true)
    await page.unrouteAll({ behavior: 'wait' })
    await keepFirst(page, chart, 1)
    const single = await openChart(chart)
    await findDrawing(single, chart).waitFor()
    const marks = await findDrawing(single, chart)
      .locator('.recharts-curve, .recharts-dot, .recharts-rectangle')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
    const isDrawn = marks.some(({ width, height }) => width > 0 && width + height > 2)
    expect(isDrawn).toBe(true)
  })

  test('is printed whole and readable, without its controls', async () => {
    await page.addInitScript(keepDrawingOnPaper)
    await page.setViewportSize({ width: 1440, height: 900 })
    const card = await openChart(chart)
    const drawing = findDrawing(card, chart)
    await drawing.waitFor()
    await page.evaluate(() => Object.assign(window, { isPaper: true }))
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize(PAPER)
    // The browser needs some frames until the page has the layout of the paper.
    await expect.poll(() => drawing.evaluate(listCutFrames)).toEqual([])
    await expect.poll(() => drawing.isVisible()).toBe(true)
    const letters = await drawing.evaluate((svg) =>
      [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().height),
    )
    expect(letters.length).toBeGreaterThan(2)
    expect(Math.min(...letters)).toBeGreaterThan(LETTER_HEIGHT_MIN)
    expect(await card.getByRole('button').filter({ visible: true }).count()).toBe(0)
  })
})

/** Returns the pattern and the border of each element, but not its colours. */
const readPatterns = (parts: Locator) =>
  parts.evaluateAll((all) =>
    all.map((part) => {
      const { backgroundImage, borderTopWidth } = getComputedStyle(part)
      return `${backgroundImage.replaceAll(/rgba?\([^)]*\)/g, 'color')} ${borderTopWidth}`
    }),
  )

test('the parts of each bar differ in their pattern, not in their colour alone', async () => {
  await openPath('/')
  await waitUntilLoaded(page)
  const cash = page.locator('figure').filter({ hasText: 'Cash in the ledger, by use' })
  const patterns = { cash: await readPatterns(cash.locator('[aria-hidden] > span')), plans: [''] }
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  patterns.plans = await readPatterns(page.locator('main [aria-hidden] > [class^="part-"]'))
  for (const [bar, parts] of Object.entries(patterns)) {
    expect(parts.length, bar).toBeGreaterThan(2)
    expect(new Set(parts).size, bar).toBe(parts.length)
  }
  await signIn(page, platform, LOGINS.admin)
  await openPath('/manage/admin/dashboard')
  await waitUntilLoaded(page)
  for (const [name, pattern] of [
    ['Net flow', 'chart-hatched'],
    ['Maturities of the next 30 days', 'chart-dotted'],
  ] as const) {
    const chart = page.getByRole('application', { name, exact: true })
    await chart.locator(`pattern#${pattern}`).waitFor({ state: 'attached' })
    const fills = await chart
      .locator('.recharts-bar-rectangle path')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('fill')))
    expect([...new Set(fills)].toSorted()).toEqual([`url(#${pattern})`, 'var(--stone-1)'])
  }
})

test('each month of the maturities is named below its first label, and no labels touch', async () => {
  const title = 'Promised profit by maturity'
  await signIn(page, platform, LOGINS.admin)
  for (const width of [390, 1_440]) {
    await page.setViewportSize({ width, height: 900 })
    await openPath('/manage/admin/reserve')
    const drawing = page.getByRole('application', { name: title, exact: true })
    const labels = drawing.locator('text:not(.recharts-text) tspan')
    await labels.first().waitFor()
    const parts = await labels.evaluateAll((all) =>
      all.map((each) => {
        const { left, right } = each.getBoundingClientRect()
        return { text: each.textContent ?? '', left, right }
      }),
    )
    const isMonth = ({ text }: { text: string }) => /\D/.test(text)
    for (const row of [parts.filter(isMonth), parts.filter((part) => !isMonth(part))]) {
      expect(row.length, `at ${width}`).toBeGreaterThan(1)
      for (const [place, { text, left }] of row.entries()) {
        expect(left, `${text} at ${width}`).toBeGreaterThan(row[place - 1]?.right ?? 0)
      }
    }
    await page.getByRole('button', { name: 'Show as table' }).last().click()
    const dates = await page
      .getByRole('table', { name: title })
      .getByRole('rowheader')
      .allTextContents()
    const days = dates.map((date) => date.replace(/, \d+$/, ''))
    // A label without a month belongs to the month before it, so each is a day of the table.
    let month = ''
    const named = parts.flatMap((part, place) => {
      const next = parts[place + 1]
      if (isMonth(part)) return []
      if (next !== undefined && isMonth(next)) month = next.text
      return [`${month} ${part.text}`]
    })
    expect(
      days.filter((day) => named.includes(day)),
      `at ${width}`,
    ).toEqual(named)
  }
})
