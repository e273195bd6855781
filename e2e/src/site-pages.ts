import { managePages } from '../../web/src/app/manage-pages.ts'
import { authPages, sitePages } from '../../web/src/app/public-pages.ts'
import type { Page } from '../../web/src/shared/url/page.ts'

/**
 * The values of path parameters on the demo platform. Null if the value is not the same on each
 * platform, such as the id of a user.
 */
const PARAMETERS: Readonly<Record<string, string | null>> = {
  ':seq': '25',
  ':account': 'reserve',
  ':option': 'treasury',
  ':id': null,
}

/**
 * For each role, the paths of all pages, including their views and other states. Screenshots and
 * accessibility tests use this list.
 */
export const SITE_PAGES = {
  visitor: [
    ...listPaths([...sitePages, ...authPages]),
    '/users/resetPassword#token=spent',
    '/no/such/page',
  ],
  investor: [
    ...listPaths(managePages.filter(({ access }) => access === 'user')),
    '/manage/investor/settings?tab=profile',
    '/manage/investor/transactions?date=custom',
  ],
  admin: [
    ...listPaths(managePages.filter(({ access }) => access === 'admin')),
    '/manage/admin/settings?tab=security',
    '/manage/admin/settings?tab=notifications',
    '/manage/admin/settings?tab=payment',
  ],
} as const

export const LOGINS = {
  visitor: null,
  investor: { email: 'investor@cairn.example', password: 'cairn-demo-investor' },
  admin: { email: 'admin@cairn.example', password: 'cairn-demo-admin' },
} as const

export type Visitor = keyof typeof SITE_PAGES

function listPaths(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ path, views = [] }) => {
    const example = fillParameters(path)
    if (example === null) return []
    return [example, ...views.map(({ search }) => `${example}${search}`)]
  })
}

/**
 * Returns the path with its parameter values, or null if a parameter has no fixed value. Throws for
 * a parameter that is not in `PARAMETERS`.
 */
function fillParameters(path: string): string | null {
  const values = path.split('/').map((part) => {
    if (!part.startsWith(':')) return part
    const value = PARAMETERS[part]
    if (value === undefined) throw new Error(`${path}: ${part} has no value in PARAMETERS`)
    return value
  })
  return values.includes(null) ? null : values.join('/')
}
