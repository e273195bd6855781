import { SITE_PATHS } from '@cairn/gateway-contracts'
import { matchRoutes } from 'react-router-dom'
import { expect, test } from 'vitest'

import { manageRoutes } from './manage-routes.ts'
import { publicRoutes } from './public-routes.ts'

const routes = [...publicRoutes, { path: '/manage', children: manageRoutes }]

test.each(SITE_PATHS)('%s is a page of the site', (path) => {
  expect(matchRoutes(routes, path)).not.toBeNull()
})

test('a path without a page is found', () => {
  expect(matchRoutes(routes, '/contact')).toBeNull()
})
