import type { Page } from 'playwright-core'

/** WCAG 2.5.8 in CSS pixels, without its exception for targets that have space around them. */
const TARGET_PX_MIN = 24

/**
 * Returns each interactive element whose clickable area is smaller than 24 by 24 px, with its size.
 * Links inside a sentence are exempt. Hit tests measure the area, so that the result includes
 * clipped elements and elements that a neighbour covers.
 */
export async function findSmallTargets(
  page: Page,
  part = page.locator('body'),
): Promise<readonly string[]> {
  return part.evaluate((root, minPx) => {
    const INTERACTIVE =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=switch], [role=menuitem], [role=menuitemcheckbox], [role=option]'
    // The tested points are slightly inside the edges of a box, because a box can begin at a
    // fraction of a pixel.
    const reach = minPx / 2 - 0.75
    const hasSize = ({ width, height }: DOMRect) => width > 1 && height > 1

    /**
     * Returns the element and, for an input, its labels. A label receives the clicks if the input
     * is invisible.
     */
    const listParts = (element: Element): readonly Element[] =>
      element instanceof HTMLInputElement ? [element, ...(element.labels ?? [])] : [element]

    const isInSentence = (element: Element): boolean => {
      if (element.tagName !== 'A' || getComputedStyle(element).display !== 'inline') return false
      let block = element.parentElement
      while (block !== null && getComputedStyle(block).display === 'inline') {
        block = block.parentElement
      }
      const walker = document.createTreeWalker(block ?? element, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode
        const isOutside = parentElement?.closest('a, button') === null
        if (isOutside && /\p{Letter}{2}/u.test(textContent ?? '')) return true
      }
      return false
    }

    /**
     * True for elements such as the skip link, which is outside of the window until it has the
     * keyboard focus.
     */
    const isOutsideWindow = (element: Element): boolean => {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight
    }

    const isReached = (parts: readonly Element[], shown: Element): boolean => {
      shown.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      // A link that wraps has one box for each line.
      const boxes = [...shown.getClientRects()].filter(hasSize)
      return boxes.some(({ left, top, width, height }) => {
        const [x, y] = [left + width / 2, top + height / 2]
        const points = [
          [x - reach, y],
          [x + reach, y],
          [x, y - reach],
          [x, y + reach],
        ] as const
        return points.every(([atX, atY]) => {
          const hit = document.elementFromPoint(atX, atY)
          return parts.some((part) => part.contains(hit))
        })
      })
    }

    const found: string[] = []
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      if (element.closest('[inert], [aria-hidden=true]') !== null) continue
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const parts = listParts(element)
      const shown = parts.filter((part) => hasSize(part.getBoundingClientRect()))
      if (shown.every(isOutsideWindow) || isInSentence(element)) continue
      if (shown.some((part) => isReached(parts, part))) continue
      const { width, height } = (shown[0] ?? element).getBoundingClientRect()
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      const size = `${width.toFixed(1)} x ${height.toFixed(1)}`
      found.push(`${element.tagName.toLowerCase()} "${name.slice(0, 40)}" is ${size} px`)
    }
    window.scrollTo(0, 0)
    return found
  }, TARGET_PX_MIN)
}
