import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Command, Lane } from '@cairn/ledger-contracts'
import { type Entry, replay } from './batch.ts'
import { NotCanonical } from './canonical.ts'
import { type CommitterOptions, createCommitter } from './committer.ts'
import { hashedRequest, idempotencyHashOf } from './envelope.ts'
import { createQueue } from './queue.ts'

export interface Writer {
  /** An answer a command, in their order. Null: the queue is full, nothing was taken. */
  submit(commands: readonly Command[], lane: Lane): Promise<readonly Answer[]> | null
  queued(): number
  isReady(): boolean
  /** Takes nothing more, writes what it has taken, and lets go of its connections. */
  stop(): Promise<void>
}

/** A command that could not be started in this time is given back undone. */
const QUEUED_MS_MAX = 8_000
const RETRY_DELAY_MS = 200

export interface WriterOptions extends CommitterOptions {
  /** How it waits; only a simulation has a time of its own. */
  pause?: (ms: number) => Promise<unknown>
}

/** The one ordered writer of a ledger: it drains what waits, batch by batch. */
export function createWriter(options: WriterOptions): Writer {
  const { clock, log, pause = delay } = options
  const queue = createQueue()
  const inFlight = new Map<string, { entry: Entry; answer: Promise<Answer> }>()
  const committer = createCommitter({ ...options, onLanded: () => wake() })
  let isStopping = false
  let restsLeft = QUEUED_MS_MAX / RETRY_DELAY_MS
  let isAwake = false
  let awake: () => void = () => {}

  function wake(): void {
    isAwake = true
    awake()
  }

  async function untilAwake(): Promise<void> {
    if (isAwake) return
    await new Promise<void>((go) => {
      awake = go
    })
  }

  /**
   * The callers of one turn of the event loop belong together. While a batch commits there is time
   * for those of more turns, as long as each brings some, and until they are as many as that has.
   */
  async function gather(): Promise<void> {
    let before: number
    do {
      before = queue.length()
      await new Promise((go) => setImmediate(go))
    } while (queue.length() > before && queue.length() < committer.underWay())
  }

  function submitOne(command: Command, taken: Entry[]): Promise<Answer> {
    const entry = toEntry(command, clock.now())
    if ('outcome' in entry) return Promise.resolve(entry)

    const hash = entry.idempotencyHash?.toString('hex')
    const earlier = hash === undefined ? undefined : inFlight.get(hash)
    if (earlier !== undefined) return join(earlier, entry)

    const answer = new Promise<Answer>((resolve) => {
      entry.answer = (given) => {
        if (hash !== undefined) inFlight.delete(hash)
        resolve(given)
      }
    })
    if (hash !== undefined) inFlight.set(hash, { entry, answer })
    taken.push(entry)
    return answer
  }

  /** What nobody answered is found out before the end, if the database comes back in time. */
  function isWorthAsking(): boolean {
    return committer.isUnresolved() && restsLeft > 0
  }

  async function run(): Promise<void> {
    while (!isStopping || queue.length() > 0 || !committer.isIdle() || isWorthAsking()) {
      isAwake = false
      await gather()
      const taken = queue.take(committer.batch(queue.length()))
      const entries = taken.filter((entry) => !expire(entry, clock.now()))
      queue.putBack(await committer.decide(entries))
      const fallen = committer.takeFallen()
      queue.putBack(fallen)
      if (committer.shouldRest()) {
        if (isStopping) restsLeft -= 1
        await pause(RETRY_DELAY_MS)
      } else if (taken.length + fallen.length === 0 && committer.isReady()) {
        committer.prepare()
        await untilAwake()
      }
    }
    await committer.close()
  }

  const running = run().catch((error) => {
    log.fatal({ err: error }, 'the writer ended; the process must be started again')
    process.exitCode = 1
    process.kill(process.pid, 'SIGTERM')
  })

  return {
    queued: queue.length,
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
      wake()
      return Promise.all(answers)
    },
    stop: async () => {
      isStopping = true
      wake()
      await running
    },
  }
}

function toEntry(command: Command, nowMs: number): Entry | Extract<Answer, { outcome: 'failed' }> {
  try {
    const { requestHash, length } = hashedRequest(command)
    return {
      command,
      requestHash,
      idempotencyHash: idempotencyHashOf(command),
      queuedAtMs: nowMs,
      bytes: length,
      answer: () => {},
    }
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error
    return { outcome: 'failed', code: 'MALFORMED', message: error.message }
  }
}

async function join(
  earlier: { entry: Entry; answer: Promise<Answer> },
  entry: Entry,
): Promise<Answer> {
  const answer = await earlier.answer
  return replay({ requestHash: earlier.entry.requestHash, answer }, entry)
}

function expire(entry: Entry, nowMs: number): boolean {
  if (nowMs - entry.queuedAtMs <= QUEUED_MS_MAX) return false
  const message = 'The ledger could not start this in time; nothing was recorded'
  entry.answer({ outcome: 'failed', code: 'UNAVAILABLE', message })
  return true
}
