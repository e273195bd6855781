import { expect, test } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { findUnseenFailures } from './all-failures-seen.ts'
import { send, startTestGateway, visitAs } from './test-gateway.ts'

/**
 * Removes the declared failures from the route of the step-up. Returns every other route unchanged.
 */
function removeFailures(route: Route): Route {
  const { endpoint } = route
  const isStepUp = endpoint.path === '/users/me/step_up'
  return isStepUp ? { ...route, endpoint: { ...endpoint, failures: [] } } : route
}

async function failStepUp(alterRoute: (route: Route) => Route): Promise<() => Promise<void>> {
  const gateway = await startTestGateway({ alterRoute })
  const visitor = await visitAs(gateway, 'investor')
  const request = { method: 'POST', path: '/users/me/step_up', body: { code: '123456' } }
  expect((await send(gateway, visitor, request)).body.code).toBe('MFA_NOT_SET_UP')
  return gateway.stop
}

test('a documented failure is accepted', async () => {
  const stop = await failStepUp((route) => route)
  await expect(stop()).resolves.toBeUndefined()
})

test('an undocumented failure fails the tests of its gateway', async () => {
  const stop = await failStepUp(removeFailures)
  await expect(stop()).rejects.toThrow('POST /users/me/step_up 409 MFA_NOT_SET_UP: Set up the')
})

test('a documented failure that no test has seen is reported', () => {
  const lines = [
    { file: 'a', documented: ['GET /a 404 NOT_FOUND', 'GET /a 409 DONE'], seen: [] },
    { file: 'b', documented: [], seen: ['GET /a 404 NOT_FOUND'] },
  ]
  expect(findUnseenFailures(lines, new Map())).toEqual(['GET /a 409 DONE'])
})

test('an exception is valid only for a failure that no test has seen', () => {
  const lines = [{ file: 'a', documented: ['GET /a 409 DONE', 'GET /a 503 AWAY'], seen: [] }]
  const excuses = new Map([['GET /a 503 AWAY', 'no test stops it']])
  expect(findUnseenFailures(lines, excuses)).toEqual(['GET /a 409 DONE'])
  const seen = [{ file: 'a', documented: ['GET /a 503 AWAY'], seen: ['GET /a 503 AWAY'] }]
  expect(findUnseenFailures(seen, excuses)).toEqual(['GET /a 503 AWAY (excused, and seen)'])
  expect(findUnseenFailures([], excuses)).toEqual(['GET /a 503 AWAY (excused, and not documented)'])
})
