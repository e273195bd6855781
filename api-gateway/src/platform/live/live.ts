import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_HEARTBEAT_SECONDS, type LiveTopic, type Permission } from '@cairn/gateway-contracts'
import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import { HttpFailure } from '../http/failure.ts'
import { type Repeating, repeat } from '../jobs/repeat.ts'
import type { SiteLedgers } from '../ledger-client/site-ledgers.ts'
import { findAudience } from './audience.ts'
import { type Channel, openChannel } from './channel.ts'
import { createDeliveryDelays, type DeliveryDelays } from './delivery-delays.ts'
import { readHead, readMissedChanges } from './missed-changes.ts'
import { BEFORE_ALL_EVENTS, FIRST_LEDGER, type LivePosition } from './position.ts'
import type { PublishedChange } from './published-change.ts'

const CHANNELS_MAX = 2_000
const CHANNELS_PER_USER_MAX = 8
const WAIT_SECONDS = 10
const EVENTS_PER_PAGE = 1_000
/**
 * If this process is behind the log by more than this number of events, pages receive `reload`
 * instead of changes.
 */
const LAG_EVENTS_MAX = 5_000n
/** Sends changes to open pages. Most changes are events of the ledgers. */
export interface Live {
  /** `after` is the position that the page names; null if it names none. */
  open(
    reader: Pick<Channel, 'userId' | 'role' | 'sessionHash' | 'permissions'>,
    after: LivePosition | null,
  ): Promise<Readable>
  /** Sends a published change to the pages of this process. `publishChange` reaches all pages. */
  sendToPages(change: PublishedChange): void
  /**
   * Returns the delivery times of this process. A delivery time is the difference between the clock
   * of this process and the clock of the ledger.
   */
  measureDeliveries(): ReturnType<DeliveryDelays['summarize']>
  stop(): Promise<void>
}

/** The events of one ledger, from which the open pages receive changes. */
interface Feed {
  /** The key of the ledger in a position. */
  key: number
  ledger: LedgerClient
  /** The newest event that was read; null while no page is open. */
  next: bigint | null
  /** True if the last call to the ledger was not answered. */
  isSilent: boolean
  /** The pages that were opened while the ledger did not answer. They may have missed changes. */
  readonly waiting: Set<Channel>
}

export function createLive(options: {
  ledgers: SiteLedgers
  clock: Clock
  log: Logger
  /** Returns the permissions of a session; null if the session has ended. */
  findPermissions(sessionHash: string): Promise<ReadonlySet<Permission> | null>
}): Live {
  const { ledgers, clock, log } = options
  const channels = new Map<string, Set<Channel>>()
  const feeds = new Map<number, Feed>()
  const following: Repeating[] = []
  const stopping = new AbortController()
  const delays = createDeliveryDelays()
  const { signal } = stopping

  const listChannels = () => [...channels.values()].flatMap((own) => [...own])
  const toKey = (ledger: number) => (ledger === ledgers.first ? FIRST_LEDGER : ledger)

  /** Returns the feed of the ledger, and starts to follow the ledger at the first call. */
  function getFeed(number: number): Feed {
    const key = toKey(number)
    const known = feeds.get(key)
    if (known !== undefined) return known
    const feed: Feed = {
      key,
      ledger: ledgers.getOwnClient(number),
      next: null,
      isSilent: false,
      waiting: new Set(),
    }
    feeds.set(key, feed)
    const name = key === FIRST_LEDGER ? 'live' : `live@${key}`
    following.push(repeat({ name, pauseMs: 0, signal, log, run: () => followOrNote(feed) }))
    return feed
  }

  async function followOrNote(feed: Feed): Promise<void> {
    try {
      await follow(feed)
    } catch (error) {
      feed.isSilent = true
      throw error
    }
  }

  async function follow(feed: Feed): Promise<void> {
    const readers = listChannels().filter(({ position }) => position.has(feed.key))
    // Events are not read while no page is open.
    if (readers.length === 0) {
      feed.next = null
      await wait(500)
      return
    }
    feed.next ??= await readHead(feed.ledger)
    const page = { after: feed.next, waitSeconds: feed.isSilent ? 0 : WAIT_SECONDS }
    const { events, size } = await feed.ledger.events({ ...page, limit: EVENTS_PER_PAGE, signal })
    feed.isSilent = false
    for (const channel of feed.waiting) channel.reload({ ledger: feed.key, seq: feed.next })
    feed.waiting.clear()
    const last = events.at(-1)
    if (last === undefined) return
    if (size - last.seq > LAG_EVENTS_MAX) {
      feed.next = size - 1n
      for (const channel of readers) channel.reload({ ledger: feed.key, seq: feed.next })
      return
    }
    feed.next = last.seq
    deliver(feed.key, events)
  }

  function deliver(ledger: number, events: readonly RecordedEvent[]): void {
    const changes = new Map<Channel, { topics: Set<LiveTopic>; seq: bigint }>()
    const add = (channel: Channel, topics: readonly LiveTopic[], seq: bigint) => {
      const known = changes.get(channel) ?? { topics: new Set<LiveTopic>(), seq }
      for (const topic of topics) known.topics.add(topic)
      changes.set(channel, { ...known, seq })
    }
    const readers = listChannels().filter(({ position }) => position.has(ledger))
    const admins = readers.filter(({ role }) => role === 'admin')
    for (const event of events) {
      const { investorIds, topics, isPublic } = findAudience(event)
      const shown = topics.filter((topic) => topic !== 'queue')
      for (const admin of admins) add(admin, [...topics, 'log'], event.seq)
      if (isPublic) for (const channel of readers) add(channel, shown, event.seq)
      for (const id of investorIds) {
        for (const channel of channels.get(id) ?? []) {
          if (channel.position.has(ledger)) add(channel, shown, event.seq)
        }
      }
    }
    // Each page receives one message for all events that were read together.
    for (const [channel, { topics, seq }] of changes) {
      channel.sendChange([...topics], { ledger, seq })
    }
    const nowMs = clock.now()
    for (const { recordedAt } of events) delays.add(nowMs - Date.parse(recordedAt))
  }

  /**
   * Returns the ledgers whose events the pages of the reader show. Administrators see all ledgers;
   * a user sees their own ledger, and the plans and settings of the first one.
   */
  async function listLedgersOf({ userId, role }: Pick<Channel, 'userId' | 'role'>) {
    if (role === 'admin') return ledgers.list()
    return [...new Set([ledgers.first, await ledgers.findHome(userId)])]
  }

  async function sendHeartbeats(): Promise<void> {
    await wait(LIVE_HEARTBEAT_SECONDS * 1_000)
    for (const channel of listChannels()) {
      const permissions = await options.findPermissions(channel.sessionHash)
      if (permissions === null) {
        channel.close('session')
        continue
      }
      channel.permissions = permissions
      channel.sendHeartbeat()
    }
  }

  async function wait(ms: number): Promise<void> {
    // `stop` ends the wait. The calling loop then ends.
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  function removeChannel(channel: Channel): void {
    for (const { waiting } of feeds.values()) waiting.delete(channel)
    const own = channels.get(channel.userId)
    own?.delete(channel)
    if (own?.size === 0) channels.delete(channel.userId)
  }

  getFeed(ledgers.first)
  const heartbeats = repeat({
    name: 'live heartbeat',
    pauseMs: 0,
    signal,
    log,
    run: sendHeartbeats,
  })

  return {
    open: async (reader, after) => {
      if (listChannels().length >= CHANNELS_MAX) {
        throw new HttpFailure(
          503,
          'TOO_MANY_PAGES',
          'Too many pages are open, so this page is not updated live. It tries again by itself.',
          {
            retryAfterSeconds: 30,
          },
        )
      }
      const feedsOfPage = (await listLedgersOf(reader)).map(getFeed)
      const own = channels.get(reader.userId) ?? new Set()
      // Closes the oldest stream of the user, so that forgotten tabs do not prevent new streams.
      const [oldest] = own
      if (own.size >= CHANNELS_PER_USER_MAX) oldest?.close('stop')
      const keys = feedsOfPage.map(({ key }) => key)
      const channel = openChannel(reader, { ledgers: keys, onClosed: removeChannel })
      own.add(channel)
      channels.set(reader.userId, own)
      channel.sendHeartbeat()
      // The stream is already registered, so no new event is lost while the missed events are sent.
      try {
        await Promise.all(feedsOfPage.map((feed) => sendMissedChanges(channel, feed, after)))
        channel.sendPosition()
      } catch (error) {
        // The stream was not returned, so no client reads from it. The page connects again after
        // the error.
        channel.messages.destroy()
        throw error
      }
      return channel.messages
    },
    sendToPages: ({ userIds, topic }) => {
      for (const id of userIds) {
        for (const channel of channels.get(id) ?? []) channel.sendChange([topic], null)
      }
    },
    measureDeliveries: delays.summarize,
    stop: async () => {
      stopping.abort()
      for (const channel of listChannels()) channel.close('stop')
      await Promise.all([...following, heartbeats].map(({ stopped }) => stopped))
    },
  }

  /**
   * Sends the changes that a page has missed of one ledger. A further ledger that does not answer
   * keeps no page from opening: the page loads its data again when the ledger answers.
   */
  async function sendMissedChanges(
    channel: Channel,
    feed: Feed,
    position: LivePosition | null,
  ): Promise<void> {
    const { key: ledger } = feed
    // A page that names no event of a ledger that was added since then has seen none of its events.
    const after = position === null ? null : (position.get(ledger) ?? BEFORE_ALL_EVENTS)
    try {
      if (feed.isSilent && ledger !== FIRST_LEDGER) throw new Error(`ledger ${ledger} is silent`)
      feed.next ??= await readHead(feed.ledger)
      const missed = await readMissedChanges(feed.ledger, { after, nowMs: clock.now(), signal })
      const place = { ledger, seq: missed.covered }
      channel.setPosition(place)
      const topics = listTopicsFor(channel, missed.events)
      if (missed.isReload) channel.reload(place)
      else if (topics.size > 0) channel.sendChange([...topics], place)
    } catch (error) {
      if (ledger === FIRST_LEDGER) throw error
      feed.isSilent = true
      feed.waiting.add(channel)
      channel.setPosition({ ledger, seq: after ?? BEFORE_ALL_EVENTS })
    }
  }
}

function listTopicsFor(channel: Channel, events: readonly RecordedEvent[]): ReadonlySet<LiveTopic> {
  const topics = new Set<LiveTopic>()
  const isAdmin = channel.role === 'admin'
  for (const event of events) {
    const { isPublic, investorIds, topics: changed } = findAudience(event)
    const isMeant = isAdmin || isPublic || investorIds.has(channel.userId)
    if (isMeant) for (const topic of changed) topics.add(topic)
  }
  if (!isAdmin) topics.delete('queue')
  else if (events.length > 0) topics.add('log')
  return topics
}
