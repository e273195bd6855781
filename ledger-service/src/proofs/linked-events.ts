import type { StoredEvent } from '../log/envelope.ts'

interface LinkedEvents {
  /** Must be called with each event of the log, in order. */
  check(event: Pick<StoredEvent, 'seq' | 'linked' | 'recordedAt'>): void
  /** Must be called after the last event. */
  checkEnd(): void
}

/**
 * Creates a check that the events of each group of linked commands follow each other and are
 * complete. The check detects a rewritten log in which a part of a group is missing.
 */
export function createLinkedEventCheck(add: (seq: bigint, problem: string) => void): LinkedEvents {
  /** The group of linked commands whose last event has not been read yet. */
  let open: { seq: bigint; next: number; length: number; recordedAt: string } | null = null

  function checkEnd(): void {
    if (open === null) return
    add(
      open.seq,
      `begins a group of ${open.length} linked events, but the log contains only ${open.next} of them`,
    )
    open = null
  }

  return {
    checkEnd,
    check: ({ seq, linked, recordedAt }) => {
      if (linked === null) return checkEnd()
      const { index, length } = linked
      if (index === 0) {
        checkEnd()
        open = { seq, next: 0, length, recordedAt }
      }
      const isNext =
        open !== null &&
        open.next === index &&
        open.length === length &&
        open.recordedAt === recordedAt
      if (open === null || !isNext) {
        checkEnd()
        add(seq, `is linked event ${index} of ${length}, without the events before it`)
        return
      }
      open.next += 1
      if (open.next === length) open = null
    },
  }
}
