import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { nameLedger } from '../ledger-client/numbered-client.ts'
import { listFurtherLedgers } from '../ledger-client/site-ledger.ts'
import { type FollowedLedger, type Follower, followOnce, getCursorName } from './follower.ts'
import { type Repeating, repeat } from './repeat.ts'
import { createCursorRewind } from './rewind-cursors.ts'

interface FollowDependencies {
  db: Database
  clock: Clock
  log: Logger
  signal: AbortSignal
  followers: readonly Follower[]
}

/** A ledger that was added to the site after its first ledger. */
export interface FurtherLedger extends FollowedLedger {
  further: number
  /** The last time at which the ledger answered a follower; at first, the start of the followers. */
  answeredAtMs: number
}

/** Starts a loop for each follower of the ledger. */
export function startFollowers(
  deps: FollowDependencies,
  followed: FollowedLedger & { onAnswer?: () => void },
): readonly Repeating[] {
  const { db, clock, log, signal } = deps
  const { ledger, further = null, onAnswer = () => {} } = followed
  const rewindAtStart = createCursorRewind({
    db,
    clock,
    log,
    ledger,
    further,
    followers: deps.followers,
  })
  return deps.followers.map((follower) =>
    repeat({
      name: getCursorName(follower.name, further),
      pauseMs: 0,
      signal,
      log,
      run: async () => {
        await rewindAtStart()
        await followOnce({ db, clock, ledger, further }, follower, signal)
        onAnswer()
      },
    }),
  )
}

export interface FurtherFollowing {
  /** Starts the followers of ledgers that were added to the site. Returns all further ledgers. */
  refresh(): Promise<readonly FurtherLedger[]>
  /** Resolves when all loops have ended. */
  waitForEnd(): Promise<void>
}

/**
 * Runs the followers of the further ledgers. Each ledger has loops of its own, so a ledger that does
 * not answer delays no other one. Its loops do not count for the health of the process, because a
 * restart would not bring it back.
 */
export function createFurtherFollowing(
  deps: FollowDependencies & { connect: (ledger: number) => LedgerClient },
): FurtherFollowing {
  const ledgers = new Map<number, FurtherLedger>()
  const loops: Repeating[] = []

  function start(number: number): void {
    const ledger = nameLedger(deps.connect(number), number)
    const followed: FurtherLedger = { ledger, further: number, answeredAtMs: deps.clock.now() }
    ledgers.set(number, followed)
    const onAnswer = () => {
      followed.answeredAtMs = deps.clock.now()
    }
    loops.push(...startFollowers(deps, { ledger, further: number, onAnswer }))
  }

  return {
    refresh: async () => {
      for (const number of await listFurtherLedgers(deps.db)) {
        if (!ledgers.has(number)) start(number)
      }
      return [...ledgers.values()]
    },
    waitForEnd: async () => {
      await Promise.all(loops.map(({ stopped }) => stopped))
    },
  }
}
