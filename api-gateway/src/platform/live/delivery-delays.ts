const DELAYS_MAX = 1_000

/** The milliseconds from the recording of an event to its delivery, of the last 1,000 events. */
export interface DeliveryDelays {
  add(delayMs: number): void
  /** The 90th percentile is 0 if nothing was delivered since the start of the process. */
  summarize(): { count: number; slowestTenthMs: number }
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
      const slowestTenthMs = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0
      return { count: sorted.length, slowestTenthMs }
    },
  }
}
