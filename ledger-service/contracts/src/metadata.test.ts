import { describe, expect, test } from 'vitest'
import { ExternalId, Metadata } from './metadata.ts'

describe('an external id', () => {
  test.each(['a', 'INV 2026/17', 'x'.repeat(64)])('may be %s', (id) => {
    expect(ExternalId.safeParse(id).success).toBe(true)
  })

  test.each(['', ' a', 'a ', 'x'.repeat(65), 'é', 'a\nb', 17])('may not be %j', (id) => {
    expect(ExternalId.safeParse(id).success).toBe(false)
  })
})

describe('metadata', () => {
  const createKeys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']))

  test.each([{ order: '17' }, { a: '' }, { ['k'.repeat(40)]: 'v'.repeat(200) }, createKeys(16)])(
    'may be %j',
    (metadata) => {
      expect(Metadata.safeParse(metadata).success).toBe(true)
    },
  )

  test.each([
    {},
    createKeys(17),
    { ['k'.repeat(41)]: 'v' },
    { k: 'v'.repeat(201) },
    { '': 'v' },
    { '1st': 'v' },
    { 'two words': 'v' },
    { k: 17 },
    { k: null },
    { k: { deep: 'v' } },
    JSON.parse('{"__proto__":"v"}'),
    'text',
    ['v'],
  ])('may not be %j', (metadata) => {
    expect(Metadata.safeParse(metadata).success).toBe(false)
  })
})
