import { expect, test } from 'vitest'
import { openPath, page, useSharedSite } from './shared-site.ts'
import { waitUntilLoaded } from './visit.ts'

useSharedSite()

test.each([768, 1_024, 1_280])(
  'all plans are compared without scrolling at %i px',
  async (width) => {
    await page.setViewportSize({ width, height: 1_024 })
    await openPath('/investment')
    await waitUntilLoaded(page)
    const buttons = page
      .getByLabel('Comparison of the plans')
      .getByRole('link', { name: 'Invest Now' })
    const shown = await buttons.filter({ visible: true }).all()
    const boxes = await Promise.all(shown.map((button) => button.boundingBox()))
    expect(boxes.length).toBeGreaterThanOrEqual(5)
    for (const box of boxes) {
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
  },
)
