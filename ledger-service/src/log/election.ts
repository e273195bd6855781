import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  type Command,
  createLedgerClient,
  type Failed,
  isConnectionRefused,
  type LedgerClient,
  type TraceCall,
} from '@cairn/ledger-contracts'
import type { Logger } from 'pino'
import { type ActiveInstance, type ElectionSession, POLL_MS } from './election-session.ts'
import type { Forward } from './forwarding.ts'
import { createLazyWriter, type LazyWriter } from './lazy-writer.ts'
import type { Writer, WriterOptions } from './writer.ts'

export interface ElectionOptions {
  ledger: number
  session: ElectionSession
  /** Authorizes calls between instances. */
  token: string
  /**
   * The time without a command after which the writer is closed until the next command. Null keeps
   * the writer open while this instance is active.
   */
  writerIdleMs: number | null
  openWriter(role: Pick<WriterOptions, 'mayTakeHead' | 'forward' | 'onDeposed'>): Writer
  /** Called when another instance has appended events. */
  onGrown(): void
  /** Traces the calls of the active instance. By default, these calls are not traced. */
  traceCall?: TraceCall
  log: Logger
}

const ELECTION_MS_MAX = 4_000

type LocalWriter = Writer & Partial<Pick<LazyWriter, 'isOpen'>>

/**
 * While this instance holds the advisory lock of the ledger, uses the local writer. Otherwise sends
 * commands to the active instance over HTTP. If two instances believe that they hold the lock, the
 * fence lets only one of them write.
 */
export function createElectedWriter(options: ElectionOptions): Writer {
  const { ledger, session, token, writerIdleMs, log, traceCall } = options
  const { address } = session
  const calling = { token, ledger, ...(traceCall === undefined ? {} : { trace: traceCall }) }
  let localWriter: LocalWriter | null = null
  let active: ActiveInstance | null = null
  let isStopping = false
  let releasedAtMs = -ELECTION_MS_MAX
  /** Resolves when the writers that another instance has replaced have stopped. */
  let replaced: Promise<unknown> = Promise.resolve()

  session.join({
    ledger,
    elect: () => {
      if (!isStopping) localWriter ??= openLocalWriter()
    },
    depose: (found) => {
      if (hasGrown(active, found)) options.onGrown()
      active = found
      if (localWriter === null) return
      const formerWriter = localWriter
      localWriter = null
      log.warn({ ledger }, 'another instance has become active')
      replaced = Promise.all([replaced, formerWriter.stop()])
    },
    isOpen,
    release: () => {
      if (isOpen()) return false
      localWriter = null
      active = null
      releasedAtMs = performance.now()
      return true
    },
  })

  /** A writer that is kept open has no `isOpen`. */
  function isOpen(): boolean {
    return localWriter !== null && (localWriter.isOpen?.() ?? true)
  }

  /** Until the preferred instance has taken the ledger, commands wait for it. */
  function isElsewhere(): boolean {
    if (active !== null && active.address !== address) return true
    return performance.now() - releasedAtMs < ELECTION_MS_MAX
  }

  function openLocalWriter(): LocalWriter {
    const open = () =>
      options.openWriter({
        mayTakeHead: () => session.isElected(ledger),
        forward: forwardWhenElected,
        onDeposed: () => {
          if (localWriter === opened) localWriter = null
        },
      })
    const opened: LocalWriter =
      writerIdleMs === null ? open() : createLazyWriter({ open, idleMs: writerIdleMs })
    return opened
  }

  return {
    countQueued: () => localWriter?.countQueued() ?? 0,
    hasRoom: () => localWriter?.hasRoom() ?? true,
    isReady: () => localWriter?.isReady() ?? isElsewhere(),
    submit: (commands, lane) => {
      if (localWriter !== null) return localWriter.submit(commands, lane)
      return forwardWhenElected(commands, { lane, isLinked: false })
    },
    submitLinked: (commands, lane) => {
      if (localWriter !== null) return localWriter.submitLinked(commands, lane)
      return forwardWhenElected(commands, { lane, isLinked: true })
    },
    submitDryRun: (commands, lane) => {
      if (localWriter !== null) return localWriter.submitDryRun(commands, lane)
      return submitWhenElected(commands, {
        submitLocally: (writer) => writer.submitDryRun(commands, lane),
        submitRemotely: (client) => client.submitDryRun(commands),
      })
    },
    stop: async () => {
      isStopping = true
      await Promise.all([replaced, localWriter?.stop()])
      await session.leave(ledger)
    },
  }

  function forwardWhenElected(
    commands: readonly Command[],
    { lane, isLinked }: Parameters<Forward>[1],
  ): Promise<readonly Answer[]> {
    return submitWhenElected<Answer>(commands, {
      submitLocally: (writer) => (isLinked ? writer.submitLinked : writer.submit)(commands, lane),
      submitRemotely: (client) =>
        (isLinked ? client.submitLinked : client.submitMany)(commands, lane),
    })
  }

  /** Waits up to `ELECTION_MS_MAX` for an active instance and submits the commands to it. */
  async function submitWhenElected<A>(
    commands: readonly Command[],
    submit: {
      submitLocally(writer: Writer): Promise<readonly A[]> | null
      submitRemotely(client: LedgerClient): Promise<readonly A[]>
    },
  ): Promise<readonly (A | Failed)[]> {
    for (let waitedMs = 0; waitedMs <= ELECTION_MS_MAX && !isStopping; waitedMs += POLL_MS) {
      if (localWriter !== null) {
        return (await submit.submitLocally(localWriter)) ?? commands.map(answerUnavailable)
      }
      if (active !== null && active.address !== address) {
        const client = createLedgerClient({ url: active.address, ...calling })
        const answers = await resolveNullIfNeverSent(submit.submitRemotely(client))
        if (answers !== null) return answers
      }
      await delay(POLL_MS)
    }
    return commands.map(answerUnavailable)
  }
}

/**
 * Returns null if the active instance refuses connections. In this case, that instance is stopping
 * or has ended, so its lock will soon be released.
 */
function resolveNullIfNeverSent<T>(answering: Promise<T>): Promise<T | null> {
  return answering.catch((error) => {
    if (isConnectionRefused(error)) return null
    throw error
  })
}

/** True if the log has grown, or if that is not known. */
function hasGrown(before: ActiveInstance | null, now: ActiveInstance | null): boolean {
  if (before === null || now === null) return false
  return before.size === null || now.size === null || now.size > before.size
}

function answerUnavailable(): Failed {
  const message = 'No instance of this ledger is active yet; nothing was recorded'
  return { outcome: 'failed', code: 'UNAVAILABLE', message }
}
