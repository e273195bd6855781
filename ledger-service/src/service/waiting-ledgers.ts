import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SigningKey } from '../proofs/signing-key.ts'
import { type CheckedLedgers, RefusedToStart } from './check-ledgers.ts'

const RETRY_MS = 5_000

/** The ledgers that wait, and the nodes that they wait for. */
type Silent = Pick<CheckedLedgers, 'waiting' | 'silentNodes'>

/** The ledgers of a place that are not open, because the node of a Citus cluster is down. */
export interface WaitingLedgers {
  count(): number
  add(checked: Silent): void
  remove(ledgers: readonly number[]): void
  stop(): Promise<void>
}

/**
 * Checks the waiting ledgers every few seconds and opens those whose node answers again. A ledger
 * that fails its check stays closed.
 */
export function createWaitingLedgers({
  check,
  open,
  log,
  retryMs = RETRY_MS,
}: {
  check(ledgers: readonly number[]): Promise<CheckedLedgers>
  open(keys: ReadonlyMap<number, SigningKey>): void
  log: Logger
  retryMs?: number
}): WaitingLedgers {
  const waiting = new Set<number>()
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null

  async function openAnswering(): Promise<void> {
    const { keys, ...silent } = await check([...waiting])
    reportSilent(silent)
    // A ledger can be removed during the check.
    const wanted = new Map([...keys].filter(([ledger]) => waiting.has(ledger)))
    if (wanted.size === 0 || signal.aborted) return
    for (const ledger of wanted.keys()) waiting.delete(ledger)
    open(wanted)
    log.info({ ledgers: [...wanted.keys()] }, 'the node answers again; its ledgers are open')
  }

  function reportSilent({ waiting: ledgers, silentNodes }: Silent): void {
    if (ledgers.length === 0) return
    const nodes = Object.fromEntries(silentNodes)
    log.error({ ledgers, nodes }, 'nodes do not answer; their ledgers are opened later')
  }

  function reportFailure(error: unknown): void {
    if (error instanceof RefusedToStart) {
      error.logProblems(log)
      waiting.delete(error.ledger)
    } else {
      log.error({ err: error }, 'the waiting ledgers cannot be opened; will try again')
    }
  }

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      await delay(retryMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      if (waiting.size > 0) await openAnswering().catch(reportFailure)
    }
    running = null
  }

  return {
    count: () => waiting.size,
    add: (silent) => {
      if (silent.waiting.length === 0 || signal.aborted) return
      reportSilent(silent)
      for (const ledger of silent.waiting) waiting.add(ledger)
      running ??= run()
    },
    remove: (ledgers) => {
      for (const ledger of ledgers) waiting.delete(ledger)
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
