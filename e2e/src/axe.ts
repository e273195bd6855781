import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  contrast: { type: 'rule', values: ['color-contrast'] },
} as const

/** What axe finds against WCAG 2.2 AA on the page as it stands: rule, and where. */
export async function findViolations(
  page: Page,
  rules: keyof typeof RULES = 'all',
): Promise<readonly string[]> {
  // As the page's own policy forbids inline scripts, it is evaluated and not added.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async ({ type, values }) => {
    // The source evaluated above has put it there.
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      runOnly: { type, values: [...values] },
      resultTypes: ['violations'],
      // No rule of these looks at style sheets, which axe would fetch each time.
      preload: false,
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
    )
  }, RULES[rules])
}
