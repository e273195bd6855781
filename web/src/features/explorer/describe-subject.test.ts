import { expect, test } from 'vitest'
import { describeSubject } from './describe-subject.ts'

const describeData = (data: Record<string, unknown>) => describeSubject({ data })

test('the subject of an event is the person and the object of its data', () => {
  const subject = { name: 'Kenji Watanabe' }
  const describe = (data: Record<string, unknown>) => describeSubject({ data, subject })
  expect(describe({ planName: 'Hourly' })).toBe('Kenji Watanabe, Hourly')
  expect(describe({ source: 'profit' })).toBe('Kenji Watanabe, profit')
  expect(describe({ bonusTo: '01abc', bonusMinor: '500' })).toBe('Kenji Watanabe')
})

test('a person whose account no longer exists is named by the id', () => {
  expect(describeData({ bonusTo: '01abc', bonusMinor: '500' })).toBe('01abc')
  expect(describeData({ approverId: 'ada', reason: 'left' })).toBe('ada')
})

test('an event about no person is described by its object or its new state', () => {
  expect(describeData({ terms: { name: 'Elite' }, version: '2' })).toBe('Elite')
  expect(describeData({ count: '82' })).toBe('82 audit rows')
  expect(describeData({ asset: 'EUR/2', from: 'reserve', note: null })).toBe('EUR')
  expect(describeData({ month: '2026-10' })).toBe('Oct 2026')
  expect(describeData({ mode: 'required' })).toBe('Two administrators required')
  expect(describeData({ mode: 'single' })).toBe('One administrator decides')
  expect(describeData({ version: '3', rules: {} })).toBe('Version 3')
  expect(describeData({ from: 'fees', amountMinor: '5' })).toBe('Fees')
  expect(describeData({ account: 'investor:01abc:profit', asset: 'USD/2' })).toBe('Profit, USD')
})

test('an event with none of these is described by its file, its key or its note', () => {
  expect(describeData({ fileSha256: '0123456789abcdef' })).toBe('File 0123456789ab…')
  expect(describeData({ verifierKey: 'cairn.example+0a1b2c3d+AQID' })).toBe(
    'cairn.example+0a1b2c3d',
  )
  const lost = 'cairn-rotation/1 5 AAAA log.example+0a1b2c3d+AQID log.example+1b2c3d4e+BAUG c2ln'
  const last = 'cairn-rotation/1 9 BBBB log.example+1b2c3d4e+BAUG log.example+2c3d4e5f+BwgJ c2ln'
  expect(describeData({ handovers: [lost, last] })).toBe('log.example+2c3d4e5f')
  expect(describeData({ handovers: [lost], reason: 'A disk was lost' })).toBe('A disk was lost')
  expect(describeData({ handovers: [] })).toBeNull()
  expect(describeData({ amountMinor: '5', note: 'Own money' })).toBe('Own money')
  expect(describeData({ amountMinor: '5', note: null })).toBeNull()
  expect(describeData({ source: '__proto__', mode: 'toString' })).toBeNull()
})
