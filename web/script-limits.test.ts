import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { sumScripts } from './script-limits.ts'

const CODE = { entry: 'a', base: 'bb'.repeat(400), page: 'ccc'.repeat(300), other: 'd'.repeat(999) }
const getSize = (name: keyof typeof CODE) => gzipSync(CODE[name], { level: 9 }).length
const chunks = new Map([
  ['entry', { code: CODE.entry, imports: ['base'] }],
  ['base', { code: CODE.base, imports: [] }],
  ['page', { code: CODE.page, imports: ['base', 'entry'] }],
  ['other', { code: CODE.other, imports: ['page'] }],
])

test('each chunk that a page imports counts once, and no other chunk counts', () => {
  const expected = getSize('entry') + getSize('base') + getSize('page')
  expect(sumScripts(chunks, ['entry', 'page'])).toBe(expected)
  expect(sumScripts(chunks, ['page'])).toBe(expected)
  expect(sumScripts(chunks, ['other'])).toBe(expected + getSize('other'))
})
