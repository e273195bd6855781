import { globSync } from 'node:fs'
import { expect, test } from 'vitest'

import type { Page } from '../shared/url/page.ts'
import { FOOTER_COLUMNS } from './layouts/public-footer.tsx'
import { managePages } from './manage-pages.ts'
import { findManageRoute } from './manage-routes.ts'
import { authPages, sitePages } from './public-pages.ts'
import { findPublicRoute } from './public-routes.ts'

const pages: readonly Page[] = [...sitePages, ...authPages, ...managePages]

test('each page that a feature describes is listed, once', async () => {
  const files = globSync('../features/*/*pages.ts', { cwd: import.meta.dirname })
  const described: Page[] = []
  for (const file of files) {
    const url = new URL(file, import.meta.url).href
    described.push(...Object.values<Page>(await import(/* @vite-ignore */ url)))
  }
  const listPaths = (list: readonly Page[]) => list.map(({ path }) => path).sort()
  expect(listPaths(described)).toEqual(listPaths(pages))
  expect(new Set(listPaths(pages)).size).toBe(pages.length)
})

test.each(pages)('$path leads to its own page', ({ path, title }) => {
  const route = findPublicRoute(path) ?? findManageRoute(path)
  expect(route?.page).toMatchObject({ path, title })
})

test('the footer links each page of the site, once', () => {
  const linked = Object.values(FOOTER_COLUMNS).flat()
  expect(linked.toSorted()).toEqual(sitePages.map(({ path }) => path).toSorted())
})
