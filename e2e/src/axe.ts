import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  contrast: { type: 'rule', values: ['color-contrast'] },
} as const

/**
 * Returns the WCAG 2.2 AA violations that axe finds on the current page, each with its rule and
 * element.
 */
export async function findViolations(
  page: Page,
  rules: keyof typeof RULES = 'all',
): Promise<readonly string[]> {
  // The test evaluates the source of axe in the page, because the content security policy forbids
  // an added script element.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async ({ type, values }) => {
    // The cast is safe because the evaluated source defines `window.axe`.
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      runOnly: { type, values: [...values] },
      resultTypes: ['violations'],
      // Without this option, axe would download the style sheets at each call, although these rules
      // need no style sheets.
      preload: false,
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
    )
  }, RULES[rules])
}
