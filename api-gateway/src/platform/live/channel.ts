import { PassThrough, type Readable } from 'node:stream'
import { type LiveTopic, type Permission, TOPIC_PERMISSIONS } from '@cairn/gateway-contracts'
import { formatPosition, type LivePosition } from './position.ts'

/**
 * Maximum size of unsent messages. A page that reads too slowly receives one `reload` in place of
 * the unsent messages.
 */
const BUFFERED_BYTES_MAX = 64 * 1024

/** An event of a ledger, by its number in that ledger. */
export interface EventPlace {
  ledger: number
  seq: bigint
}

/** The event stream of one open page. */
export interface Channel {
  readonly userId: string
  readonly role: 'user' | 'admin'
  readonly sessionHash: string
  /** The permissions of an administrator. Each heartbeat updates these permissions. */
  permissions: ReadonlySet<Permission>
  readonly messages: Readable
  /** The newest event of each ledger whose events the stream includes. */
  readonly position: LivePosition
  /**
   * Sends the topics that the user may see. Sends nothing if the user may see no topic. `place` is
   * null for a change that is not an event.
   */
  sendChange(topics: readonly LiveTopic[], place: EventPlace | null): void
  reload(place: EventPlace): void
  /** Adds the event to the position, without a message. */
  setPosition(place: EventPlace): void
  /** Sends the numbers of the newest events that the stream includes. */
  sendPosition(): void
  sendHeartbeat(): void
  /**
   * Closes the stream. `session` first sends the message `end`, so that the browser stays
   * disconnected. After `stop`, the browser connects again.
   */
  close(why: 'session' | 'stop'): void
}

export function openChannel(
  reader: Pick<Channel, 'userId' | 'role' | 'sessionHash' | 'permissions'>,
  { ledgers, onClosed }: { ledgers: readonly number[]; onClosed: (channel: Channel) => void },
): Channel {
  const messages = new PassThrough()
  const position = new Map<number, bigint | null>(ledgers.map((ledger) => [ledger, null]))
  let isBehind = false

  function write(text: string): void {
    if (messages.writableEnded) return
    if (messages.writableLength > BUFFERED_BYTES_MAX) {
      isBehind = true
      return
    }
    if (isBehind) {
      isBehind = false
      messages.write('event: reload\ndata: {}\n\n')
    }
    messages.write(text)
  }

  function setPosition({ ledger, seq }: EventPlace): void {
    position.set(ledger, seq)
  }

  /** Without an id, the page keeps the id of the last message that had one. */
  function formatId(): string {
    const id = formatPosition(position)
    return id === null ? '' : `id: ${id}\n`
  }

  const channel: Channel = {
    ...reader,
    messages,
    position,
    setPosition,
    sendChange: (topics, place) => {
      const shown = topics.filter((topic) => maySee(channel, topic))
      if (shown.length === 0) return
      if (place !== null) setPosition(place)
      const id = place === null ? '' : formatId()
      write(`${id}event: change\ndata: ${JSON.stringify({ topics: shown })}\n\n`)
    },
    reload: (place) => {
      setPosition(place)
      write(`${formatId()}event: reload\ndata: {}\n\n`)
    },
    sendPosition: () => write(`${formatId()}event: position\ndata: {}\n\n`),
    sendHeartbeat: () => write(': alive\n\n'),
    close: (why) => {
      if (why === 'session') write('event: end\ndata: {}\n\n')
      messages.end()
    },
  }
  messages.once('close', () => onClosed(channel))
  return channel
}

function maySee({ role, permissions }: Channel, topic: LiveTopic): boolean {
  const permission = TOPIC_PERMISSIONS[topic]
  return role === 'user' || permission === null || permissions.has(permission)
}
