import { expect, test } from 'vitest'
import { createDeliveryDelays } from './delivery-delays.ts'

test('nine of ten deliveries took at most the 90th percentile', () => {
  const delays = createDeliveryDelays()
  expect(delays.summarize()).toEqual({ count: 0, p90Ms: 0 })
  for (const delayMs of [50, 10, 40, 20, 30, 60, 70, 80, 9_000, 90]) delays.add(delayMs)
  expect(delays.summarize()).toEqual({ count: 10, p90Ms: 90 })
})

test('only the last 1,000 deliveries count', () => {
  const delays = createDeliveryDelays()
  for (let index = 0; index < 1_000; index += 1) delays.add(60_000)
  for (let index = 0; index < 1_000; index += 1) delays.add(15)
  expect(delays.summarize()).toEqual({ count: 1_000, p90Ms: 15 })
})
