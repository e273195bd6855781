import type { Locator, Page } from 'playwright-core'

const TABS_MAX = 80

/** Presses Tab until the element has the focus. Throws if the focus is not visible. */
export async function moveFocusTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let pressed = 0; pressed <= TABS_MAX; pressed += 1) {
    const focus = await wanted.evaluate(checkFocus)
    if (focus === 'visible') return
    if (focus === 'hidden')
      throw new Error(`the focus of ${wanted} cannot be seen on ${page.url()}`)
    await page.keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached within ${TABS_MAX} times ${key}`)
}

/**
 * Runs in the page. Returns whether the element has the focus, and whether its outline is visible.
 * One call returns both facts, because a loading page could replace the element between two calls.
 */
function checkFocus(element: Element): 'elsewhere' | 'visible' | 'hidden' {
  if (element !== document.activeElement) return 'elsewhere'
  const hasOutline = (each: Element | null) => {
    if (each === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  }
  const isSeen = getComputedStyle(element).opacity !== '0'
  if (isSeen) return hasOutline(element) ? 'visible' : 'hidden'
  // The input is transparent, so an element around or beside it must show the outline.
  const drawn = [element.parentElement, ...(element.parentElement?.querySelectorAll('*') ?? [])]
  return drawn.some((each) => each !== element && hasOutline(each)) ? 'visible' : 'hidden'
}

export async function focusAndPress(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await moveFocusTo(page, wanted)
  await page.keyboard.press(key)
}

export async function typeInto(page: Page, wanted: Locator, text: string): Promise<void> {
  await moveFocusTo(page, wanted)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Selects an option of a list by typing its first letters. */
export async function chooseOption(page: Page, wanted: Locator, letters: string): Promise<void> {
  await moveFocusTo(page, wanted)
  await page.keyboard.type(letters)
}

/** Throws if the Tab key moves the focus out of the dialog. */
export async function requireTrappedFocus(page: Page, dialog: Locator): Promise<void> {
  for (let pressed = 0; pressed < TABS_MAX / 2; pressed += 1) {
    await page.keyboard.press('Tab')
    const isInside = await dialog.evaluate((frame) => frame.contains(document.activeElement))
    if (!isInside) throw new Error(`Tab left the dialog on ${page.url()}`)
  }
}
