import { expect, test } from 'vitest'
import { z } from 'zod'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import type { Route } from './registry.ts'

const CANARY = 'a column that was added later'

/**
 * Adds an undeclared property to the answer of the handler that lists the FAQs. Returns every other
 * route unchanged.
 */
function addProperty(route: Route): Route {
  if (route.endpoint.path !== '/public/faqs' || route.endpoint.method !== 'GET') return route
  return {
    ...route,
    handle: async (request, exchange) => {
      const result = await route.handle(request, exchange)
      return { ...(result as object), passwordHash: CANARY } as typeof result
    },
  }
}

async function ask(alterRoute: (route: Route) => Route): Promise<{ status: number; text: string }> {
  const gateway: TestGateway = await startTestGateway({ alterRoute })
  const reply = await send(gateway, null, { method: 'GET', path: '/public/faqs' })
  await gateway.stop()
  return { status: reply.status, text: JSON.stringify(reply.body) }
}

test('an answer has the declared properties only, whatever a handler returns', async () => {
  const { status, text } = await ask(addProperty)
  expect(status).toBe(200)
  expect(text).not.toContain(CANARY)
})

test('sabotaged twin: an endpoint that declares nothing returns everything', async () => {
  const allowAllFields = (route: Route): Route => {
    const altered = addProperty(route)
    if (altered === route) return route
    return { ...altered, endpoint: { ...altered.endpoint, response: z.looseObject({}) } }
  }
  expect((await ask(allowAllFields)).text).toContain(CANARY)
})
