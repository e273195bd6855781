import type { Writer } from './writer.ts'

export interface LazyWriter extends Writer {
  isOpen(): boolean
}

/**
 * Opens the writer at the first command, and closes it after `idleMs` without a command. While no
 * writer is open, the ledger uses no connection of its own.
 */
export function createLazyWriter({
  open,
  idleMs,
}: {
  open: () => Writer
  idleMs: number
}): LazyWriter {
  let writer: Writer | null = null
  let closing: Promise<unknown> = Promise.resolve()
  let closingCount = 0
  let timer: NodeJS.Timeout | null = null
  let unanswered = 0
  let usedAtMs = 0
  let isStopping = false

  function submit<A>(submitTo: (opened: Writer) => Promise<A> | null): Promise<A> | null {
    if (isStopping) return null
    writer ??= open()
    usedAtMs = performance.now()
    timer ??= setTimeout(closeIfIdle, idleMs)
    const answering = submitTo(writer)
    if (answering === null) return null
    unanswered += 1
    return answering.finally(() => {
      unanswered -= 1
      usedAtMs = performance.now()
    })
  }

  /**
   * Does not close a writer that cannot take over the log, because the health of the service
   * depends on such a writer.
   */
  function closeIfIdle(): void {
    timer = null
    if (writer === null || isStopping) return
    const leftMs = usedAtMs + idleMs - performance.now()
    if (unanswered > 0 || leftMs > 0 || !writer.isReady()) {
      timer = setTimeout(closeIfIdle, Math.max(leftMs, idleMs / 2))
      return
    }
    closingCount += 1
    const closed = writer.stop().finally(() => {
      closingCount -= 1
    })
    closing = Promise.all([closing, closed])
    writer = null
  }

  return {
    isOpen: () => writer !== null || closingCount > 0,
    countQueued: () => writer?.countQueued() ?? 0,
    hasRoom: () => writer?.hasRoom() ?? true,
    isReady: () => writer?.isReady() ?? true,
    submit: (commands, lane) => submit((opened) => opened.submit(commands, lane)),
    submitLinked: (commands, lane) => submit((opened) => opened.submitLinked(commands, lane)),
    submitDryRun: (commands, lane) => submit((opened) => opened.submitDryRun(commands, lane)),
    stop: async () => {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await Promise.all([closing, writer?.stop()])
    },
  }
}
