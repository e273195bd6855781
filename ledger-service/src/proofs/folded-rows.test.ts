import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStateTable } from '../log/table.ts'
import { createFoldedRows } from './folded-rows.ts'

const STATUSES = ['open', 'closed', 'gone'] as const
const people = createStateTable('people', 'id', {
  id: 'text',
  owedMinor: 'int8',
  status: STATUSES,
  paidMinor: 'int8?',
  name: 'text?',
  note: 'text',
  endedAt: 'timestamptz?',
})
const rules = createStateTable('rules', '', { isOpen: 'bool', atMs: 'timestamptz', count: 'int4' })

const person = fc.record({
  id: fc.constantFrom(...Array.from({ length: 40 }, (_, at) => `person-${at}`), 'ü€', ''),
  owedMinor: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  status: fc.constantFrom(...STATUSES),
  paidMinor: fc.option(fc.bigInt({ min: -1n, max: 2n ** 40n })),
  // This text is longer than one read of the file.
  name: fc.oneof(fc.string(), fc.constant(null), fc.constant('ü'.repeat(3_000))),
  note: fc.string({ unit: 'grapheme' }),
  // A time of the database has microseconds.
  endedAt: fc.option(
    fc.integer({ min: 0, max: 2 ** 52 }).map((microseconds) => microseconds / 1_000),
  ),
})
const act = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), row: person }),
  fc.record({ kind: fc.constant('take' as const), row: person }),
)

test('rows in memory and in the file equal those of a map after any changes', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (acts, kept) => {
      using rows = createFoldedRows([people, rules], kept)
      const expected = new Map<string, object>()
      for (const { kind, row } of acts) {
        expect(rows.view.find(people, row.id)).toEqual(expected.get(row.id) ?? null)
        if (kind === 'put') {
          rows.view.put(people, row)
          expected.set(row.id, row)
        } else {
          expect(rows.take(people, row.id)).toEqual(expected.get(row.id) ?? null)
          expected.delete(row.id)
        }
      }
      expect(rows.countRows()).toBe(expected.size)
      const keys = [...rows.listKeys()].map(([, key]) => key)
      expect(keys.toSorted()).toEqual([...expected.keys()].toSorted())
      expect([...rows.list(people)]).toHaveLength(expected.size)
      expect(new Set(rows.list(people))).toEqual(new Set(expected.values()))
    }),
  )
})

const createPerson = (id: string, owedMinor = 1n) => ({
  id,
  owedMinor,
  status: 'open' as const,
  paidMinor: null,
  name: null,
  note: '',
  endedAt: null,
})

test('rows of different tables with one key are kept apart, and a table of one row has no key', () => {
  using rows = createFoldedRows([people, rules], 1)
  const rule = { isOpen: true, atMs: 1_700_000_000_123, count: -7 }
  rows.view.put(rules, rule)
  for (const id of ['', 'a', 'b', 'c', 'd']) {
    rows.view.put(people, createPerson(id))
    rows.view.put(rules, rule)
  }
  expect(rows.view.find(rules, '')).toEqual(rule)
  expect(rows.view.find(people, '')).toEqual(createPerson(''))
  expect(rows.countRows()).toBe(6)
})

test('many rows are found again, also after the index has grown', () => {
  using rows = createFoldedRows([people], 100)
  const count = 10_000
  for (let at = 0; at < count; at += 1) {
    rows.view.put(people, createPerson(`${at}`, BigInt(at)))
  }
  for (let at = 0; at < count; at += 1) {
    expect(rows.take(people, `${at}`)).toMatchObject({ owedMinor: BigInt(at) })
  }
  expect([...rows.list(people)]).toEqual([])
})

test('a text that the column does not allow is refused', () => {
  using rows = createFoldedRows([people], 1)
  const wrong = { ...createPerson('a'), status: 'other' as 'open' }
  rows.view.put(people, wrong)
  const putMore = () => {
    for (const id of ['b', 'c', 'd']) rows.view.put(people, createPerson(id))
  }
  expect(putMore).toThrow('"other" is not one of open, closed, gone')
})
