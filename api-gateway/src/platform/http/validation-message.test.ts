import { PlanForm } from '@cairn/gateway-contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createInvalidRequestFailure } from './failure.ts'
import { describeIssue } from './validation-message.ts'

const Sort = z.enum(['newest', 'oldest'])
const Body = z.strictObject({
  sort: Sort,
  count: z.int(),
  user: z.string().regex(/^x$/, 'must be an id'),
})
const createRefusal = (schema: z.ZodType, body: unknown) => {
  const parsed = z.object({ body: schema }).safeParse({ body }, { error: describeIssue })
  if (parsed.success) throw new Error('it is valid')
  return createInvalidRequestFailure(parsed.error, 'list')
}

describe('an issue whose schema has no message', () => {
  test.each([
    [[], 'body must be an object'],
    [{ sort: 'up', count: 1, user: 'x' }, 'sort must be newest or oldest'],
    [{ sort: 'newest', user: 'x' }, 'count is required'],
    [{ sort: 'newest', count: '1', user: 'x' }, 'count must be a number'],
    [{ sort: 'newest', count: 1, user: 'x', role: 'admin' }, 'role is not a field of this call'],
    [{ sort: 'newest', count: 1, user: 'y' }, 'user must be an id'],
  ])('%j is refused with "%s"', (body, sentence) => {
    expect(createRefusal(Body, body).message).toBe(sentence)
  })

  test('never has the message of the library, even for a plan of random values', () => {
    const plan = Object.fromEntries(Object.keys(PlanForm.shape).map((name) => [name, 'abc\u0000']))
    const { errors } = createRefusal(PlanForm, { ...plan, more: 1 })
    expect(errors).toHaveLength(Object.keys(PlanForm.shape).length + 1)
    expect(JSON.stringify(errors)).not.toMatch(/Invalid input|expected|received|Unrecognized/)
  })
})
