/** The traces of the events that were recorded lately. They exist in memory only. */
export interface EventTraces {
  /** Replaces an earlier trace of the same event: that event was decided but not written. */
  add(seq: bigint, traceparent: string): void
  remove(seqs: readonly bigint[]): void
  /** Returns the traceparents of the events that have one, by `seq`. */
  find(events: readonly { seq: bigint }[]): Record<string, string>
}

/** A follower that is further behind continues no traces. */
const EVENTS_MAX = 20_000

export function createEventTraces(eventsMax = EVENTS_MAX): EventTraces {
  const traces = new Map<bigint, string>()
  return {
    add: (seq, traceparent) => {
      traces.set(seq, traceparent)
      const [oldest] = traces.keys()
      if (traces.size > eventsMax && oldest !== undefined) traces.delete(oldest)
    },
    remove: (seqs) => {
      for (const seq of seqs) traces.delete(seq)
    },
    find: (events) =>
      Object.fromEntries(
        events.flatMap(({ seq }) => {
          const traceparent = traces.get(seq)
          return traceparent === undefined ? [] : [[String(seq), traceparent]]
        }),
      ),
  }
}
