import { expect, test } from 'vitest'
import { type Effects, EVENT_EFFECTS } from './event-effects.ts'
import { findEffects, parseFactWith } from './find-effects.ts'

test('a name that is not a known type of event has no effects', () => {
  for (const name of ['toString', '__proto__', 'FromANewerLedger']) {
    expect(findEffects(name)).toBeNull()
    expect(parseFactWith('mail', { type: name, data: {} })).toBeNull()
  }
})

test('an event without an effect is not parsed for it', () => {
  expect(parseFactWith('mail', { type: 'ProfitAccrued', data: {} })).toBeNull()
  expect(() => parseFactWith('chart', { type: 'ProfitAccrued', data: {} })).toThrow('investmentId')
})

test('a type of event without effects does not compile', () => {
  const { WalletFunded: _, ...others } = EVENT_EFFECTS
  // @ts-expect-error WalletFunded is missing
  const incomplete: Readonly<Record<keyof typeof EVENT_EFFECTS, Effects>> = others
  expect(incomplete).not.toHaveProperty('WalletFunded')
})

test('an effect that is left out does not compile', () => {
  const { chart: _, ...others } = EVENT_EFFECTS.WalletFunded
  // @ts-expect-error chart is missing
  const incomplete: Effects = others
  expect(incomplete).not.toHaveProperty('chart')
})
