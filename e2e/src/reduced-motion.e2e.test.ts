import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from './people.ts'
import { openPath, page, platform, useSharedSite } from './shared-site.ts'
import { LOGINS } from './site-pages.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

/** The style sheet shortens each animation to this time, in milliseconds. */
const SHORTENED_MS = 1
/** The time between two bars of a proof, in milliseconds. */
const BAR_DELAY_MS = 120

/** Records each transition of the window, and each animation that lasts longer than a moment. */
async function recordMotion(on: Page): Promise<void> {
  await on.addInitScript((shortenedMs) => {
    const motion: string[] = []
    Object.assign(window, { motion })
    const record = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      for (const animation of target.getAnimations()) {
        const { activeDuration = 0 } = animation.effect?.getComputedTiming() ?? {}
        if (Number(activeDuration) > shortenedMs) {
          motion.push(`${target.className}: ${activeDuration} ms`)
        }
      }
    }
    document.addEventListener('animationstart', record)
    document.addEventListener('transitionrun', ({ propertyName, target }) => {
      if (target instanceof Element) motion.push(`${target.className}: ${propertyName}`)
    })
  }, SHORTENED_MS)
}

const readMotion = (on: Page) =>
  on.evaluate(() => (window as unknown as { motion: string[] }).motion)

async function openSampleReceipt(): Promise<void> {
  await openPath('/#check')
  await waitUntilLoaded(page)
  await page.locator('#check').getByText('Sample receipt', { exact: true }).click()
  await page.getByText(/This record is one of the first/).waitFor()
}

/** Opens pages, a menu and a panel; returns the motion of each page. */
async function findMotion(): Promise<readonly string[]> {
  const found: string[] = []
  await openSampleReceipt()
  await page.getByRole('button', { name: 'Change one character' }).hover()
  found.push(...(await readMotion(page)))
  await signIn(page, platform, LOGINS.investor)
  await openPath('/manage/investor/dashboard')
  await waitUntilLoaded(page)
  await page.getByRole('application').first().focus()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menu').waitFor()
  found.push(...(await readMotion(page)))
  await openPath('/manage/investor/investments')
  await page
    .getByRole('button', { name: /Details of/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  found.push(...(await readMotion(page)))
  return found
}

test('with reduced motion nothing on a page moves', async () => {
  await recordMotion(page)
  expect(await findMotion()).toEqual([])
})

test('its twin: without reduced motion, the same pages move', async () => {
  await recordMotion(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect((await findMotion()).length).toBeGreaterThan(3)
})

test('the bars of a proof appear at once with reduced motion, otherwise one by one', async () => {
  const readBars = () =>
    page.locator('#check .proof-step').evaluateAll((bars) =>
      bars.map((bar) => ({
        opacity: getComputedStyle(bar).opacity,
        delays: bar.getAnimations().map(({ effect }) => effect?.getTiming().delay),
      })),
    )
  await openSampleReceipt()
  const still = await readBars()
  expect(still.length).toBeGreaterThan(3)
  expect(still).toEqual(still.map(() => ({ opacity: '1', delays: [] })))
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await openPath('/')
  await openSampleReceipt()
  // Chromium can give 1319.9999999999998 for 1320.
  const delays = (await readBars()).flatMap((bar) => bar.delays.map((ms) => Math.round(Number(ms))))
  expect(delays.toSorted((a, b) => a - b)).toEqual(still.map((_, place) => place * BAR_DELAY_MS))
})
