import { managePages } from '../../web/src/app/manage-pages.ts'
import { authPages, sitePages } from '../../web/src/app/public-pages.ts'
import type { Page } from '../../web/src/shared/url/page.ts'
import { logInAs } from './api-client.ts'

export const LOGINS = {
  visitor: null,
  investor: { email: 'investor@cairn.example', password: 'cairn-demo-investor' },
  admin: { email: 'admin@cairn.example', password: 'cairn-demo-admin' },
} as const

export type Visitor = keyof typeof LOGINS

/** The people of the demo whose pages are in the list. Their ids differ on each platform. */
const SHOWN_USERS = [LOGINS.investor.email, LOGINS.admin.email] as const

/** The values of path parameters on the demo platform. `:id` is the id of a user. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  ':seq': ['25'],
  ':account': ['reserve'],
  ':option': ['treasury'],
  ':id': SHOWN_USERS,
}

/** The paths of all pages of a role. A path contains the email of a user in place of the id. */
const PATHS: Readonly<Record<Visitor, readonly string[]>> = {
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
    `/manage/admin/users/${LOGINS.investor.email}?tab=sessions`,
    `/manage/admin/users/${LOGINS.investor.email}?view=fund`,
    '/manage/admin/settings?tab=security',
    '/manage/admin/settings?tab=notifications',
    '/manage/admin/settings?tab=payment',
  ],
}

export type SitePage = {
  /** The path on the given platform. */
  path: string
  /** The path with emails in place of ids, which is the same on each platform. */
  name: string
}

/**
 * Returns all pages of a role, including their views and other states, on the platform at the URL.
 * Screenshots and the tests of all pages use this list.
 */
export async function listSitePages(
  visitor: Visitor,
  { url }: { url: string },
): Promise<readonly SitePage[]> {
  const names = PATHS[visitor]
  const shown = SHOWN_USERS.filter((email) => names.some((name) => name.includes(email)))
  const ids = await findUserIds(url, shown)
  return names.map((name) => {
    let path = name
    for (const [email, id] of ids) path = path.replace(email, id)
    return { name, path }
  })
}

/** Finds the ids of users by their emails, as the administrator of the demo. */
async function findUserIds(
  url: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  if (emails.length === 0) return ids
  const admin = await logInAs(url, LOGINS.admin.email, LOGINS.admin.password)
  for (const email of emails) {
    const { users } = (await admin.get(`users?q=${encodeURIComponent(email)}`)).body.data
    const user = users.find((each: { email: string }) => each.email === email)
    if (user === undefined) throw new Error(`${email} is not a user of the demo`)
    ids.set(email, user.id)
  }
  return ids
}

function listPaths(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ path, views = [] }) =>
    fillParameters(path).flatMap((example) => [
      example,
      ...views.map(({ search }) => `${example}${search}`),
    ]),
  )
}

/**
 * Returns the path once for each value of its parameter. A path has one parameter at most. Throws
 * for a parameter that is not in `PARAMETERS`.
 */
function fillParameters(path: string): readonly string[] {
  const parameter = path.split('/').find((part) => part.startsWith(':'))
  if (parameter === undefined) return [path]
  const values = PARAMETERS[parameter]
  if (values === undefined) throw new Error(`${path}: ${parameter} has no value in PARAMETERS`)
  return values.map((value) => path.replace(parameter, value))
}
