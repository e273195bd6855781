import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIVE_HEARTBEAT_SECONDS, type LiveTopic, type Permission } from '@cairn/gateway-contracts'
import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'
import { HttpFailure } from '../http/failure.ts'
import { type Repeating, repeat } from '../jobs/repeat.ts'
import { findAudience } from './audience.ts'
import { type Channel, openChannel } from './channel.ts'
import { createDeliveryDelays, type DeliveryDelays } from './delivery-delays.ts'

const CHANNELS_MAX = 2_000
const CHANNELS_PER_USER_MAX = 8
const WAIT_SECONDS = 10
const EVENTS_PER_PAGE = 1_000
/**
 * If this process is behind the log by more than this number of events, pages receive `reload`
 * instead of changes.
 */
const LAG_EVENTS_MAX = 5_000n
/**
 * A new stream repeats the changes of the last `OPENING_MS` milliseconds, because the page may have
 * loaded its data before these changes.
 */
const OPENING_MS = 10_000
/**
 * If a page has missed more events than this number, the page loads all data again. This number
 * limits the events that a reconnect reads from the ledger.
 */
export const REPLAY_EVENTS_MAX = 200
const OPENING_EVENTS_MAX = 100n

/** Sends changes to open pages. Most changes are events of the log. */
export interface Live {
  open(
    reader: Pick<Channel, 'userId' | 'role' | 'sessionHash' | 'permissions'>,
    after: bigint | null,
  ): Promise<Readable>
  /** Sends a change that is not an event of the log to the pages of these users. */
  publish(userIds: readonly string[], topic: LiveTopic): void
  /**
   * Returns the delivery times of this process. A delivery time is the difference between the clock
   * of this process and the clock of the ledger.
   */
  measureDeliveries(): ReturnType<DeliveryDelays['summarize']>
  stop(): Promise<void>
}

export function createLive(options: {
  ledger: LedgerClient
  clock: Clock
  log: Logger
  /** Returns the permissions of a session; null if the session has ended. */
  findPermissions(sessionHash: string): Promise<ReadonlySet<Permission> | null>
}): Live {
  const { ledger, clock, log } = options
  const channels = new Map<string, Set<Channel>>()
  const stopping = new AbortController()
  const delays = createDeliveryDelays()
  let following: Repeating | null = null
  let next: bigint | null = null

  const listChannels = () => [...channels.values()].flatMap((own) => [...own])

  async function readHead(): Promise<bigint> {
    const { size } = await ledger.ask('head', { size: null })
    return size - 1n
  }

  async function follow(): Promise<void> {
    // Events are not read while no page is open.
    if (channels.size === 0) {
      next = null
      await wait(500)
      return
    }
    next ??= await readHead()
    const { signal } = stopping
    const page = { after: next, waitSeconds: WAIT_SECONDS, limit: EVENTS_PER_PAGE, signal }
    const { events, size } = await ledger.events(page)
    const last = events.at(-1)
    if (last === undefined) return
    if (size - last.seq > LAG_EVENTS_MAX) {
      next = size - 1n
      for (const channel of listChannels()) channel.reload(next)
      return
    }
    next = last.seq
    deliver(events)
  }

  function deliver(events: readonly RecordedEvent[]): void {
    const changes = new Map<Channel, { topics: Set<LiveTopic>; seq: bigint }>()
    const add = (channel: Channel, topics: readonly LiveTopic[], seq: bigint) => {
      const known = changes.get(channel) ?? { topics: new Set<LiveTopic>(), seq }
      for (const topic of topics) known.topics.add(topic)
      changes.set(channel, { ...known, seq })
    }
    const admins = listChannels().filter(({ role }) => role === 'admin')
    for (const event of events) {
      const { investorIds, topics, isPublic } = findAudience(event)
      const shown = topics.filter((topic) => topic !== 'queue')
      for (const admin of admins) add(admin, [...topics, 'log'], event.seq)
      if (isPublic) for (const channel of listChannels()) add(channel, shown, event.seq)
      for (const id of investorIds) {
        for (const channel of channels.get(id) ?? []) add(channel, shown, event.seq)
      }
    }
    // Each page receives one message for all events that were read together.
    for (const [channel, { topics, seq }] of changes) channel.sendChange([...topics], seq)
    const nowMs = clock.now()
    for (const { recordedAt } of events) delays.add(nowMs - Date.parse(recordedAt))
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
    const own = channels.get(channel.userId)
    own?.delete(channel)
    if (own?.size === 0) channels.delete(channel.userId)
  }

  const { signal } = stopping
  following = repeat({ name: 'live', pauseMs: 0, signal, log, run: follow })
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
      const own = channels.get(reader.userId) ?? new Set()
      // Closes the oldest stream of the user, so that forgotten tabs do not prevent new streams.
      const [oldest] = own
      if (own.size >= CHANNELS_PER_USER_MAX) oldest?.close('stop')
      const channel = openChannel(reader, removeChannel)
      own.add(channel)
      channels.set(reader.userId, own)
      channel.sendHeartbeat()
      // The stream is already registered, so no new event is lost while the missed events are sent.
      try {
        next ??= await readHead()
        channel.sendPosition(await sendMissedChanges(channel, after))
      } catch (error) {
        // The stream was not returned, so no client reads from it. The page connects again after
        // the error.
        channel.messages.destroy()
        throw error
      }
      return channel.messages
    },
    publish: (userIds, topic) => {
      for (const id of userIds) {
        for (const channel of channels.get(id) ?? []) channel.sendChange([topic], null)
      }
    },
    measureDeliveries: delays.summarize,
    stop: async () => {
      stopping.abort()
      for (const channel of listChannels()) channel.close('stop')
      await Promise.all([following?.stopped, heartbeats.stopped])
    },
  }

  /**
   * Sends the changes that a page has missed. Returns the number of the newest event among these
   * changes.
   */
  async function sendMissedChanges(channel: Channel, after: bigint | null): Promise<bigint> {
    const head = await readHead()
    const from = after ?? head - OPENING_EVENTS_MAX
    if (from === head) return head
    // After the restore of a backup, the client can have an id of the lost part of the log. Such an
    // id can be above the number of the newest event.
    if (from > head || head - from > BigInt(REPLAY_EVENTS_MAX)) {
      channel.reload(head)
      return head
    }
    const sinceMs = after === null ? clock.now() - OPENING_MS : 0
    const page = { after: from, waitSeconds: 0, limit: REPLAY_EVENTS_MAX, signal: stopping.signal }
    const { events } = await ledger.events(page)
    const missed = events.filter(({ recordedAt }) => Date.parse(recordedAt) >= sinceMs)
    if (after === null && BigInt(missed.length) >= OPENING_EVENTS_MAX) {
      channel.reload(head)
      return head
    }
    const covered = events.at(-1)?.seq ?? head
    const topics = listTopicsFor(channel, missed)
    if (topics.size > 0) channel.sendChange([...topics], covered)
    return covered
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
