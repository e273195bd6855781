const DELAYS_MAX = 1_000

/**
 * The times from the recording of an event to its delivery, in milliseconds, for the last 1,000
 * events.
 */
export interface DeliveryDelays {
  add(delayMs: number): void
  /** Returns the number of deliveries and the 90th percentile, which is 0 without deliveries. */
  summarize(): { count: number; p90Ms: number }
}

export function createDeliveryDelays(): DeliveryDelays {
  const delays: number[] = []

  return {
    add: (delayMs) => {
      delays.push(delayMs)
      if (delays.length > DELAYS_MAX) delays.shift()
    },
    summarize: () => {
      const sorted = delays.toSorted((left, right) => left - right)
      const p90Ms = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0
      return { count: sorted.length, p90Ms }
    },
  }
}
