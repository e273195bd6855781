import type { Locator, Page } from 'playwright-core'

const TABS_MAX = 80

/** What a person without a mouse does: Tab until it is there. Fails where nothing shows the focus. */
export async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let pressed = 0; pressed <= TABS_MAX; pressed += 1) {
    const isThere = await wanted.evaluate((element) => element === document.activeElement)
    if (isThere) return requireVisibleFocus(page, wanted)
    await page.keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached within ${TABS_MAX} times ${key}`)
}

/** The outline of the element, or of what is drawn for it. */
async function requireVisibleFocus(page: Page, focused: Locator): Promise<void> {
  const outlined = await focused.evaluate((element) => {
    const hasOutline = (each: Element | null | undefined) => {
      if (each === null || each === undefined) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }
    const isSeen = getComputedStyle(element).opacity !== '0'
    if (isSeen && hasOutline(element)) return true
    // An unseen field lies over, or within, what is drawn in its place.
    const drawn = [element.parentElement, ...(element.parentElement?.querySelectorAll('*') ?? [])]
    return !isSeen && drawn.some((each) => each !== element && hasOutline(each))
  })
  if (!outlined) throw new Error(`the focus of ${focused} cannot be seen on ${page.url()}`)
}

export async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

export async function type(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** The first letters choose an option of a list, as they always have. */
export async function choose(page: Page, wanted: Locator, letters: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.type(letters)
}

/** Tab in a dialog never leads out of it. */
export async function requireTrapped(page: Page, dialog: Locator): Promise<void> {
  for (let pressed = 0; pressed < TABS_MAX / 2; pressed += 1) {
    await page.keyboard.press('Tab')
    const isInside = await dialog.evaluate((frame) => frame.contains(document.activeElement))
    if (!isInside) throw new Error(`Tab left the dialog on ${page.url()}`)
  }
}
