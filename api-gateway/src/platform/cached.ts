export interface Kept<Value> {
  read(nowMs?: number): Promise<Value>
  /** Discards the value, so that the next caller loads it again. */
  forget(): void
}

/**
 * Caches the result of `load` for `freshMs`; concurrent callers share one load. A failed load is
 * not cached.
 */
export function keptFor<Value>(
  freshMs: number,
  look: (nowMs: number) => Promise<Value>,
): Kept<Value> {
  let kept: { atMs: number; value: Promise<Value> } | null = null
  return {
    read: (nowMs = performance.now()) => {
      // If the clock was set back, the age is negative; its absolute value bounds how long that
      // lasts.
      if (kept !== null && Math.abs(nowMs - kept.atMs) < freshMs) return kept.value
      const mine = { atMs: nowMs, value: look(nowMs) }
      kept = mine
      mine.value.catch(() => {
        if (kept === mine) kept = null
      })
      return mine.value
    },
    forget: () => {
      kept = null
    },
  }
}
