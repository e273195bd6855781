export interface Cached<Value> {
  read(nowMs?: number): Promise<Value>
  /** Deletes the cached value, so that the next caller loads it again. */
  forget(): void
}

/**
 * Caches the result of `load` for `freshMs`. Concurrent callers share one load, and a failed load
 * is not cached.
 */
export function createCachedValue<Value>(
  freshMs: number,
  load: (nowMs: number) => Promise<Value>,
): Cached<Value> {
  let cached: { atMs: number; value: Promise<Value> } | null = null
  return {
    read: (nowMs = performance.now()) => {
      // If the clock was set back, the age of the value is negative. The cached value must still
      // expire.
      if (cached !== null && Math.abs(nowMs - cached.atMs) < freshMs) return cached.value
      const entry = { atMs: nowMs, value: load(nowMs) }
      cached = entry
      entry.value.catch(() => {
        if (cached === entry) cached = null
      })
      return entry.value
    },
    forget: () => {
      cached = null
    },
  }
}
