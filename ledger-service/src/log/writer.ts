import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Command, DryRunAnswer, Failed, Lane } from '@cairn/ledger-contracts'
import { createCommitter } from './committer.ts'
import type { CommitterOptions } from './committer-options.ts'
import type { Deposed } from './deposed.ts'
import { type DryRunEntry, type Entry, failEntry, type LinkedEntry } from './entry.ts'
import { type Forward, forwardEntries } from './forwarding.ts'
import { createInFlight } from './in-flight.ts'
import { createQueue } from './queue.ts'
import { toDryRunEntry, toEntry, toLinkedEntry } from './submission.ts'

export interface Writer {
  /**
   * Returns one answer per command, in order. Returns null if the queue is full; in this case no
   * command was accepted.
   */
  submit(commands: readonly Command[], lane: Lane): Promise<readonly Answer[]> | null
  /**
   * Like `submit`, but either all commands are recorded, in order and in one batch, or no command
   * is recorded.
   */
  submitLinked(commands: readonly Command[], lane: Lane): Promise<readonly Answer[]> | null
  /** Decides linked commands against the current state and records nothing. */
  submitDryRun(commands: readonly Command[], lane: Lane): Promise<readonly DryRunAnswer[]> | null
  countQueued(): number
  /** False if the queue is full, so that `submit` would return null. */
  hasRoom(): boolean
  isReady(): boolean
  /** Rejects new commands, writes the accepted commands, and closes the connections. */
  stop(): Promise<void>
}

/** A command that was not started within this time fails with `UNAVAILABLE`. */
const QUEUED_MS_MAX = 8_000
const RETRY_DELAY_MS = 200

const OVERLOADED: Failed = {
  outcome: 'failed',
  code: 'OVERLOADED',
  message: 'The ledger is busy; try again in a second',
}

export interface WriterOptions extends CommitterOptions {
  /** Waits for `ms`. A simulation supplies its own clock. */
  pause?: (ms: number) => Promise<unknown>
  /**
   * Submits commands to the writer that replaced this writer. Without this function, the commands
   * fail, and the caller may repeat them.
   */
  forward?: Forward
  /** Called when this writer stops because another writer has replaced it. */
  onDeposed?: () => void
  /** Called when no writer of this process can take over the log. By default, ends this process. */
  endProcess?: () => void
}

/** Asks this process to stop. The process then writes and answers the accepted commands. */
function endThisProcess(): void {
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}

/** The single writer of a ledger. The writer processes the queue in order, batch by batch. */
export function createWriter(options: WriterOptions): Writer {
  const { clock, log, pause = delay, endProcess = endThisProcess } = options
  const { canDecide } = options.model
  const queue = createQueue()
  const inFlight = createInFlight()
  const committer = createCommitter({ ...options, onCommitEnded: () => wakeWriter() })
  let isStopping = false
  let pausesLeft = QUEUED_MS_MAX / RETRY_DELAY_MS
  let isAwake = false
  let notifyAwake: () => void = () => {}

  function wakeWriter(): void {
    isAwake = true
    notifyAwake()
  }

  async function waitUntilAwake(): Promise<void> {
    // A stopping writer can have waited only for the outcome of a commit. When the outcome is
    // known, this writer has no work and must end.
    if (isAwake || !hasWork()) return
    await new Promise<void>((go) => {
      notifyAwake = go
    })
  }

  /**
   * Waits until all callbacks that are now in the event loop have queued their commands, so that
   * these commands share a batch. While a batch commits, waits longer if more commands arrive.
   */
  async function waitForCallersInTurn(): Promise<void> {
    let before: number
    do {
      before = queue.getLength()
      await new Promise((go) => setImmediate(go))
    } while (queue.getLength() > before && queue.getLength() < committer.countCommittingCommands())
  }

  function submitSingleCommand(command: Command, taken: Entry[]): Promise<Answer> {
    const entry = toEntry(command, { canDecide, nowMs: clock.now() })
    return 'outcome' in entry ? Promise.resolve(entry) : inFlight.add(entry, taken)
  }

  const submit: Writer['submit'] = (commands, lane) => {
    if (isStopping) return null
    const taken: Entry[] = []
    const answers = commands.map((command) => submitSingleCommand(command, taken))
    if (!queue.push(lane, taken)) {
      for (const entry of taken) failEntry(entry, OVERLOADED)
      // A command that repeats an earlier command waits for its answer. If the earlier command is
      // lost, the rejection must not count as unhandled.
      for (const answer of answers) answer.catch(() => {})
      return null
    }
    wakeWriter()
    return Promise.all(answers)
  }

  /** Returns null if the queue is full or the writer stops. */
  function submitEntry(entry: LinkedEntry, lane: Lane): Promise<readonly Answer[]> | null {
    if (isStopping) return null
    const found = inFlight.findLinkedAnswers(entry)
    if (found !== null) {
      return 'answers' in found ? found.answers : submitAfter(found.earlier, { entry, lane })
    }
    const answers = inFlight.addLinked(entry)
    if (!queue.push(lane, [entry])) {
      failEntry(entry, OVERLOADED)
      return null
    }
    wakeWriter()
    return answers
  }

  async function submitAfter(
    earlier: Promise<unknown>,
    { entry, lane }: { entry: LinkedEntry; lane: Lane },
  ): Promise<readonly Answer[]> {
    // If the earlier command with this key got no answer, the stored idempotency keys show whether
    // that command was recorded.
    await earlier.catch(() => {})
    return (await submitEntry(entry, lane)) ?? entry.members.map(() => OVERLOADED)
  }

  /** Returns null if the queue is full or the writer stops. */
  function submitDryRun(entry: DryRunEntry, lane: Lane): Promise<readonly DryRunAnswer[]> | null {
    if (isStopping) return null
    const { promise, resolve, reject } = Promise.withResolvers<readonly DryRunAnswer[]>()
    entry.answer = resolve
    entry.lose = reject
    if (!queue.push(lane, [entry])) return null
    wakeWriter()
    return promise
  }

  /**
   * True while this writer still tries to determine the outcome of an unanswered commit, before it
   * stops.
   */
  function canStillResolve(): boolean {
    return committer.isUnresolved() && pausesLeft > 0
  }

  function hasWork(): boolean {
    if (committer.getDeposingError() !== null) return false
    return !isStopping || queue.getLength() > 0 || !committer.isIdle() || canStillResolve()
  }

  /** Forwards the unwritten commands to the writer that replaced this writer. */
  async function forwardUnwrittenCommands(deposed: Deposed): Promise<void> {
    isStopping = true
    options.onDeposed?.()
    const canForward = deposed.hasSuccessor && !deposed.endsProcess
    const forward = canForward ? options.forward : undefined
    await forwardEntries(queue.takeAll(), { forward, why: deposed.message })
    if (!deposed.endsProcess) return
    log.fatal(deposed.message)
    endProcess()
  }

  async function run(): Promise<void> {
    while (hasWork()) {
      isAwake = false
      await waitForCallersInTurn()
      const taken = queue.take(committer.getBatch(queue.getLength()))
      const entries = taken.filter((entry) => !expireIfLate(entry, clock.now()))
      const again = await committer.decide(entries)
      queue.returnToFront(again)
      if (committer.shouldPause()) {
        if (isStopping) pausesLeft -= 1
        await pause(RETRY_DELAY_MS)
      } else if (taken.length + again.length === 0 && committer.isReady()) {
        committer.prepare()
        await waitUntilAwake()
      }
    }
    const deposed = committer.getDeposingError()
    if (deposed !== null) await forwardUnwrittenCommands(deposed)
    await committer.close()
  }

  const running = run().catch((error) => {
    log.fatal({ err: error }, 'the writer failed; restart the process')
    endProcess()
  })

  return {
    countQueued: queue.getLength,
    hasRoom: queue.hasRoom,
    isReady: committer.isReady,
    submit,
    submitLinked: (commands, lane) => {
      // A group with one command is the same as a single command.
      if (commands.length <= 1) return submit(commands, lane)
      const entry = toLinkedEntry(commands, { canDecide, nowMs: clock.now() })
      return 'members' in entry ? submitEntry(entry, lane) : Promise.resolve(entry)
    },
    submitDryRun: (commands, lane) => {
      const entry = toDryRunEntry(commands, { canDecide, nowMs: clock.now() })
      return 'members' in entry ? submitDryRun(entry, lane) : Promise.resolve(entry)
    },
    stop: async () => {
      isStopping = true
      wakeWriter()
      await running
    },
  }
}

function expireIfLate(entry: Entry, nowMs: number): boolean {
  if (nowMs - entry.queuedAtMs <= QUEUED_MS_MAX) return false
  const message = 'The ledger did not start this command in time; nothing was recorded'
  failEntry(entry, { outcome: 'failed', code: 'UNAVAILABLE', message })
  return true
}
