import { setTimeout as delay } from 'node:timers/promises'
import { endConnection } from '@cairn/service-kit/limit-silence'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectClient } from '../service/database/pool.ts'
import {
  listUnheldLedgers,
  readSizes,
  releaseLocks,
  storeAddress,
  takeFreeLocks,
  tryTakeLock,
  type UnheldLedger,
} from './election-locks.ts'
import { formatInstanceName, listConnectedInstances, parseInstanceName } from './instances.ts'
import { isPeerAddress } from './peer-address.ts'
import { createPlacement } from './placement.ts'

export const POLL_MS = 300
/** Shorter than that of other connections, because the session holds locks. */
const SESSION_SILENCE_MS = 5_000
/**
 * PostgreSQL ends a session that has not polled for this time, which frees its locks. Without the
 * limit, an instance whose machine lost its power would keep them until the server finds its
 * connection dead, by default after more than two hours.
 */
const LOST_AFTER = '10s'
/**
 * Shorter than `SESSION_SILENCE_MS`, so that a node of Citus without an answer does not end the
 * session.
 */
const STATEMENT_LIMIT = '2s'

/** The instance that holds the lock of a ledger, or held it last. */
export interface ActiveInstance {
  readonly address: string
  /** The number of events of the log; null if the log could not be read. */
  readonly size: bigint | null
}

/** A ledger that takes part in the election. Its methods must not throw. */
export interface Seat {
  readonly ledger: number
  /** Called at each poll while this instance holds the lock. */
  elect(): void
  /** Called at each poll while this instance does not hold the lock. */
  depose(active: ActiveInstance | null): void
  isOpen(): boolean
  /**
   * Called when another instance is preferred. Returns false if the writer is open, because a busy
   * ledger does not move.
   */
  release(): boolean
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
  /** From now on, the other instances do not wait for this one to take a ledger. */
  announceStop(): void
  stop(): Promise<void>
}

export function createElectionSession(options: {
  databaseUrl: string
  /** The URL of this instance for other instances. */
  address: string
  /** Further addresses to which commands are forwarded; see `isPeerAddress`. */
  peers?: readonly string[]
  /** The newest version of the rules that this instance knows. */
  version: number
  /** This instance may serve the ledgers from 1 to this number. */
  ledgers: number
  log: Logger
  /** The time that another, preferred instance has to take a free ledger. */
  patienceMs?: number
}): ElectionSession {
  const { address, peers = [], log, patienceMs } = options
  const isPeer = (stored: string) => isPeerAddress(address, stored) || peers.includes(stored)
  const name = formatInstanceName(options)
  const placement = createPlacement({ address: parseInstanceName(name).address, patienceMs })
  const seats = new Map<number, Seat>()
  const stopping = new AbortController()
  let client: pg.Client | null = null
  /** The ledgers whose lock this connection holds and for which it has stored the address. */
  let announced: ReadonlySet<number> = new Set()
  let left: number[] = []
  let leaving: Promise<void> | null = null
  let isLeaving = false
  let turn: Promise<unknown> = Promise.resolve()
  let areSizesRead = true
  let strangeAddress: string | null = null

  /** Runs work on the connection after earlier work, because a connection runs one query at a time. */
  function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const ended = turn.then(work)
    turn = ended.catch(() => {})
    return ended
  }

  async function connect(): Promise<pg.Client> {
    const { databaseUrl: url } = options
    const opened = await connectClient({
      url,
      name,
      pipeline: false,
      silenceMs: SESSION_SILENCE_MS,
    })
    try {
      await opened.query(
        `set idle_session_timeout = '${LOST_AFTER}'; set statement_timeout = '${STATEMENT_LIMIT}'`,
      )
    } catch (error) {
      await endConnection(opened)
      throw error
    }
    return opened
  }

  async function poll(): Promise<void> {
    client ??= await connect()
    const polled = [...seats.values()]
    const numbers = polled.map(({ ledger }) => ledger)
    placement.setInstances(await listConnectedInstances(client), performance.now())
    const unheld = (await listUnheldLedgers(client, numbers)).map(removeStrangeAddress)
    const free = unheld.filter(({ isLocked }) => !isLocked).map(({ ledger }) => ledger)
    const wanted = new Set(placement.chooseFree(free, performance.now()))
    // A ledger with an open writer is taken again after the session was lost.
    const open = free.filter((ledger) => seats.get(ledger)?.isOpen() === true)
    const taken = new Set(await takeFreeLocks(client, [...wanted.union(new Set(open))]))
    const others = new Map(
      unheld.filter(({ ledger }) => !taken.has(ledger)).map((found) => [found.ledger, found]),
    )
    const held = numbers.filter((ledger) => !others.has(ledger))
    await announce(client, held)
    const sizes = await readSizesOf(client, [...others.values()])
    const released = new Set<number>()
    for (const seat of polled) {
      const found = others.get(seat.ledger)
      if (found !== undefined) seat.depose(describeActive(found, sizes))
      else if (!placement.isForeign(seat.ledger) || !seat.release()) seat.elect()
      else released.add(seat.ledger)
    }
    announced = new Set(held).difference(released)
    if (released.size === 0) return
    await releaseLocks(client, [...released])
    log.info({ ledgers: [...released] }, 'another instance is preferred')
  }

  /**
   * Returns no sizes if a log cannot be read. Only the first of consecutive failures is logged,
   * because polls are frequent. A lost connection fails at the next query.
   */
  async function readSizesOf(connected: pg.Client, others: readonly UnheldLedger[]) {
    const ledgers = others.filter(({ address }) => address !== null).map(({ ledger }) => ledger)
    try {
      const sizes = await readSizes(connected, ledgers)
      areSizesRead = true
      return sizes
    } catch (error) {
      if (areSizesRead) log.warn({ err: error }, 'the sizes of the logs cannot be read')
      areSizesRead = false
      return null
    }
  }

  /** Removes an address that no other instance can have. It is logged once, because polls are frequent. */
  function removeStrangeAddress(found: UnheldLedger): UnheldLedger {
    const { ledger, address: stored } = found
    if (stored === null || isPeer(stored)) return found
    if (strangeAddress !== stored) {
      const message =
        'commands are not forwarded to the active instance: its address has neither the domain or ' +
        'network of LEDGER_ADDRESS nor is it in LEDGER_PEERS; if no instance has this address, a ' +
        'person with access to the database has changed it'
      log.error({ ledger, stored, address }, message)
      strangeAddress = stored
    }
    return { ...found, address: null }
  }

  /** Stores the address for the ledgers whose lock was obtained since the last poll. */
  async function announce(connected: pg.Client, held: readonly number[]): Promise<void> {
    const ledgers = held.filter((ledger) => !announced.has(ledger))
    if (ledgers.length > 0) {
      await storeAddress(connected, { ledgers, address })
      log.info({ ledgers, address }, 'this instance is active')
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runInTurn(poll).catch(async (error) => {
        log.error({ err: error }, 'the database is not available for the election')
        if (client !== null) await endConnection(client)
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
    const connected = client
    if (connected === null) return
    await runInTurn(async () => {
      // Without the other name, the other instances would wait for this one to take the ledgers again.
      if (isLeaving) await renameConnection(connected)
      await releaseLocks(connected, ledgers)
      // If the connection is lost, PostgreSQL releases the locks.
    }).catch(() => {})
  }

  async function renameConnection(connected: pg.Client): Promise<void> {
    const leavingName = formatInstanceName({ ...options, isLeaving })
    await connected.query(`select set_config('application_name', $1, false)`, [leavingName])
  }

  return {
    address,
    join: (seat) => void seats.set(seat.ledger, seat),
    isElected: async (ledger) => {
      const connected = client
      if (connected === null) throw new Error('the state of the election lock is unknown')
      return runInTurn(() => tryTakeLock(connected, ledger))
    },
    leave: (ledger) => {
      seats.delete(ledger)
      left.push(ledger)
      leaving ??= releaseLeftLocks()
      return leaving
    },
    announceStop: () => {
      isLeaving = true
    },
    stop: async () => {
      stopping.abort()
      await running
      if (client !== null) await endConnection(client)
    },
  }
}

function describeActive(
  { ledger, address }: UnheldLedger,
  sizes: ReadonlyMap<number, bigint> | null,
): ActiveInstance | null {
  if (address === null) return null
  return { address, size: sizes === null ? null : (sizes.get(ledger) ?? 0n) }
}
