import { SITE_PATHS } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { findManageRoute, findMovedPath } from './manage-routes.ts'
import { findPublicRoute } from './public-routes.ts'

const find = (path: string) => findPublicRoute(path) ?? findManageRoute(path) ?? findMovedPath(path)

test.each(SITE_PATHS)('%s is a page of the site', (path) => {
  expect(find(path)).not.toBeNull()
})

test('a path without a page is found', () => {
  expect(find('/contact')).toBeNull()
})
