import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Command, Lane } from '@cairn/ledger-contracts'
import { NotCanonical } from '@cairn/ledger-contracts'
import { getStoredAnswer } from './batch.ts'
import { createCommitter } from './committer.ts'
import type { CommitterOptions } from './committer-options.ts'
import { type Deposed, OutdatedModel } from './deposed.ts'
import type { Entry } from './entry.ts'
import { hashIdempotencyKey, hashRequest } from './envelope.ts'
import { createQueue } from './queue.ts'

export interface Writer {
  /**
   * Returns one answer per command, in order. Returns null if the queue is full; in this case no
   * command was accepted.
   */
  submit(commands: readonly Command[], lane: Lane): Promise<readonly Answer[]> | null
  countQueued(): number
  isReady(): boolean
  /** Rejects new commands, writes the accepted ones, and closes the connections. */
  stop(): Promise<void>
}

/** A command that was not started within this time fails with `UNAVAILABLE`. */
const QUEUED_MS_MAX = 8_000
const RETRY_DELAY_MS = 200

export interface WriterOptions extends CommitterOptions {
  /** Waits for `ms`. A simulation supplies its own clock. */
  pause?: (ms: number) => Promise<unknown>
  /**
   * Submits commands to the writer that replaced this one. Without it, they fail and may be repeated.
   */
  forward?: (commands: readonly Command[], lane: Lane) => Promise<readonly Answer[]>
  /** Called when this writer stops because another one has replaced it. */
  onDeposed?: () => void
  /** Ends the process of an outdated writer. By default, this process. */
  endProcess?: () => void
}

/** Asks this process to stop. The process then writes and answers the accepted commands. */
function endThisProcess(): void {
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}

const FORWARDED_MAX = 100

/** The single writer of a ledger. It processes the queue in order, batch by batch. */
export function createWriter(options: WriterOptions): Writer {
  const { clock, log, pause = delay, endProcess = endThisProcess } = options
  const queue = createQueue()
  const inFlight = new Map<string, { entry: Entry; answer: Promise<Answer> }>()
  const committer = createCommitter({ ...options, onCommitEnded: () => wakeWriter() })
  let isStopping = false
  let pausesLeft = QUEUED_MS_MAX / RETRY_DELAY_MS
  let isAwake = false
  let resolveAwake: () => void = () => {}

  function wakeWriter(): void {
    isAwake = true
    resolveAwake()
  }

  async function waitUntilAwake(): Promise<void> {
    // The outcome of a commit may have been found out just now, so that a stopping writer can end.
    if (isAwake || !hasWork()) return
    await new Promise<void>((go) => {
      resolveAwake = go
    })
  }

  /**
   * Waits until all callers of this turn of the event loop have queued their commands, so that
   * these commands share a batch. While a batch commits, waits longer if more commands arrive.
   */
  async function gatherCallers(): Promise<void> {
    let before: number
    do {
      before = queue.getLength()
      await new Promise((go) => setImmediate(go))
    } while (queue.getLength() > before && queue.getLength() < committer.getCommittingSize())
  }

  function submitOne(command: Command, taken: Entry[]): Promise<Answer> {
    const entry = toEntry(command, clock.now())
    if ('outcome' in entry) return Promise.resolve(entry)

    const hash = entry.idempotencyHash?.toString('hex')
    const earlier = hash === undefined ? undefined : inFlight.get(hash)
    if (earlier !== undefined) return repeatAnswer(earlier, entry)

    const answer = new Promise<Answer>((resolve, reject) => {
      const forget = () => hash !== undefined && inFlight.delete(hash)
      entry.answer = (given) => {
        forget()
        resolve(given)
      }
      entry.lose = (error) => {
        forget()
        reject(error)
      }
    })
    if (hash !== undefined) inFlight.set(hash, { entry, answer })
    taken.push(entry)
    return answer
  }

  /** True while an unanswered commit can still be resolved before the writer stops. */
  function canStillResolve(): boolean {
    return committer.isUnresolved() && pausesLeft > 0
  }

  function hasWork(): boolean {
    if (committer.getDeposed() !== null) return false
    return !isStopping || queue.getLength() > 0 || !committer.isIdle() || canStillResolve()
  }

  /** Gives the commands that were not written to the writer that replaced this one. */
  async function handOver(deposed: Deposed): Promise<void> {
    isStopping = true
    options.onDeposed?.()
    const isOutdated = deposed instanceof OutdatedModel
    const forward = isOutdated ? undefined : options.forward
    const entries = queue.takeAll()
    for (let at = 0; at < entries.length; at += FORWARDED_MAX) {
      await forwardEntries(entries.slice(at, at + FORWARDED_MAX), { forward, why: deposed.message })
    }
    if (!isOutdated) return
    log.fatal(deposed.message)
    endProcess()
  }

  async function run(): Promise<void> {
    while (hasWork()) {
      isAwake = false
      await gatherCallers()
      const taken = queue.take(committer.getBatch(queue.getLength()))
      const entries = taken.filter((entry) => !expireIfLate(entry, clock.now()))
      const again = await committer.decide(entries)
      queue.putBack(again)
      if (committer.shouldPause()) {
        if (isStopping) pausesLeft -= 1
        await pause(RETRY_DELAY_MS)
      } else if (taken.length + again.length === 0 && committer.isReady()) {
        committer.prepare()
        await waitUntilAwake()
      }
    }
    const deposed = committer.getDeposed()
    if (deposed !== null) await handOver(deposed)
    await committer.close()
  }

  const running = run().catch((error) => {
    log.fatal({ err: error }, 'the writer failed; restart the process')
    endProcess()
  })

  return {
    countQueued: queue.getLength,
    isReady: committer.isReady,
    submit: (commands, lane) => {
      if (isStopping) return null
      const taken: Entry[] = []
      const answers = commands.map((command) => submitOne(command, taken))
      if (!queue.push(lane, taken)) {
        const message = 'The ledger is busy; try again in a second'
        for (const entry of taken) entry.answer({ outcome: 'failed', code: 'OVERLOADED', message })
        return null
      }
      wakeWriter()
      return Promise.all(answers)
    },
    stop: async () => {
      isStopping = true
      wakeWriter()
      await running
    },
  }
}

function toEntry(command: Command, nowMs: number): Entry | Extract<Answer, { outcome: 'failed' }> {
  try {
    const { requestHash, length } = hashRequest(command)
    return {
      command,
      requestHash,
      idempotencyHash: hashIdempotencyKey(command),
      queuedAtMs: nowMs,
      bytes: length,
      answer: () => {},
      lose: () => {},
    }
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error
    return { outcome: 'failed', code: 'MALFORMED', message: error.message }
  }
}

async function forwardEntries(
  entries: readonly Entry[],
  to: { forward: WriterOptions['forward']; why: string },
): Promise<void> {
  const message = `Nothing was recorded: ${to.why}`
  const unavailable: Answer = { outcome: 'failed', code: 'UNAVAILABLE', message }
  try {
    const commands = entries.map(({ command }) => command)
    const answers = (await to.forward?.(commands, 'interactive')) ?? []
    for (const [index, entry] of entries.entries()) entry.answer(answers[index] ?? unavailable)
  } catch (error) {
    for (const entry of entries) entry.lose(error)
  }
}

async function repeatAnswer(
  earlier: { entry: Entry; answer: Promise<Answer> },
  entry: Entry,
): Promise<Answer> {
  const answer = await earlier.answer
  return getStoredAnswer({ requestHash: earlier.entry.requestHash, answer }, entry)
}

function expireIfLate(entry: Entry, nowMs: number): boolean {
  if (nowMs - entry.queuedAtMs <= QUEUED_MS_MAX) return false
  const message = 'The ledger did not start this command in time; nothing was recorded'
  entry.answer({ outcome: 'failed', code: 'UNAVAILABLE', message })
  return true
}
