export interface Kept<Value> {
  read(nowMs?: number): Promise<Value>
  /** The next one who asks looks again. */
  forget(): void
}

/** One look for all who ask within `freshMs` of it. A failed look is not kept: the next request looks again. */
export function keptFor<Value>(
  freshMs: number,
  look: (nowMs: number) => Promise<Value>,
): Kept<Value> {
  let kept: { atMs: number; value: Promise<Value> } | null = null
  return {
    read: (nowMs = performance.now()) => {
      // A clock that went back makes what is known newer than now.
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
