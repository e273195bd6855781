import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectClient } from '../service/database/pool.ts'
import {
  type ActiveInstance,
  listUnheldLedgers,
  releaseLocks,
  storeAddress,
  takeFreeLocks,
  tryTakeLock,
} from './election-locks.ts'
import { formatInstanceName } from './instances.ts'

export const POLL_MS = 300

/** A ledger that takes part in the election. Its methods must not throw. */
export interface Seat {
  readonly ledger: number
  /** Called at each poll while this instance holds the lock. */
  elect(): void
  /** Called at each poll while this instance does not hold the lock. */
  depose(active: ActiveInstance | null): void
}

/**
 * The connection with which an instance takes part in the election of all its ledgers. PostgreSQL
 * releases all locks of the connection when the connection ends.
 */
export interface ElectionSession {
  readonly address: string
  join(seat: Seat): void
  /**
   * Returns false if another instance holds the lock of the ledger. Throws while the state of the
   * lock is unknown, because the database is not available.
   */
  isElected(ledger: number): Promise<boolean>
  /** Releases the lock of a ledger whose writer has stopped, so that another instance can take it. */
  leave(ledger: number): Promise<void>
  stop(): Promise<void>
}

export function createElectionSession(options: {
  databaseUrl: string
  /** The URL of this instance for other instances. */
  address: string
  /** The newest version of the rules that this instance knows. */
  version: number
  /** This instance serves the ledgers from 1 to this number. */
  ledgers: number
  log: Logger
}): ElectionSession {
  const { address, log } = options
  const seats = new Map<number, Seat>()
  const stopping = new AbortController()
  let client: pg.Client | null = null
  /** The ledgers whose lock this connection holds and for which it has stored the address. */
  let announced: ReadonlySet<number> = new Set()
  let left: number[] = []
  let leaving: Promise<void> | null = null

  async function poll(): Promise<void> {
    client ??= await connectClient({
      url: options.databaseUrl,
      name: formatInstanceName(options),
      pipeline: false,
    })
    const polled = [...seats.values()]
    const unheld = await listUnheldLedgers(
      client,
      polled.map(({ ledger }) => ledger),
    )
    const free = unheld.filter(({ isLocked }) => !isLocked).map(({ ledger }) => ledger)
    const taken = new Set(await takeFreeLocks(client, free))
    const others = new Map(
      unheld.filter(({ ledger }) => !taken.has(ledger)).map((found) => [found.ledger, found]),
    )
    const held = polled.map(({ ledger }) => ledger).filter((ledger) => !others.has(ledger))
    await announce(client, held)
    for (const seat of polled) {
      const found = others.get(seat.ledger)
      if (found === undefined) seat.elect()
      else seat.depose(found.active)
    }
  }

  /** Stores the address for the ledgers whose lock was obtained since the last poll. */
  async function announce(connected: pg.Client, held: readonly number[]): Promise<void> {
    const ledgers = held.filter((ledger) => !announced.has(ledger))
    if (ledgers.length > 0) {
      await storeAddress(connected, { ledgers, address })
      log.info({ ledgers, address }, 'this instance is active')
    }
    announced = new Set(held)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await poll().catch(async (error) => {
        log.error({ err: error }, 'the database is not available for the election')
        await client?.end().catch(() => {})
        client = null
        announced = new Set()
      })
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  /** Waits until all ledgers that leave in this turn have left, so that one query releases them. */
  async function releaseLeftLocks(): Promise<void> {
    await new Promise((go) => setImmediate(go))
    const ledgers = left
    left = []
    leaving = null
    // If the connection is lost, PostgreSQL releases the locks.
    if (client !== null) await releaseLocks(client, ledgers).catch(() => {})
  }

  return {
    address,
    join: (seat) => void seats.set(seat.ledger, seat),
    isElected: async (ledger) => {
      if (client === null) throw new Error('the state of the election lock is unknown')
      return tryTakeLock(client, ledger)
    },
    leave: (ledger) => {
      seats.delete(ledger)
      left.push(ledger)
      leaving ??= releaseLeftLocks()
      return leaving
    },
    stop: async () => {
      stopping.abort()
      await running
      await client?.end().catch(() => {})
    },
  }
}
