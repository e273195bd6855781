import { expect, test } from 'vitest'
import { readLayout, toLayoutChange } from './table-layout.ts'

const layout = { hidden: ['country'], isCompact: true, views: [] }

test('a list of release 0.9.0 is stored where that release reads it', () => {
  expect(toLayoutChange('users', layout)).toEqual({ tables: { users: layout } })
  expect(readLayout({ tables: { users: layout }, furtherTables: {} }, 'users')).toBe(layout)
})

test('a further list is stored apart, because that release refuses its name', () => {
  expect(toLayoutChange('auditLog', layout)).toEqual({ furtherTables: { auditLog: layout } })
  expect(readLayout({ tables: {}, furtherTables: { auditLog: layout } }, 'auditLog')).toBe(layout)
})

test('a list without a stored layout has none', () => {
  expect(readLayout(undefined, 'users')).toBeUndefined()
  expect(readLayout({ tables: {} }, 'auditLog')).toBeUndefined()
  expect(readLayout({ furtherTables: { events: layout } }, 'auditLog')).toBeUndefined()
})
