import { PassThrough, type Readable } from 'node:stream'
import { type LiveTopic, type Permission, TOPIC_PERMISSIONS } from '@cairn/gateway-contracts'

/**
 * Maximum size of unsent messages. A page that reads too slowly receives one `reload` in place of
 * the unsent messages.
 */
const BUFFERED_BYTES_MAX = 64 * 1024

/** The event stream of one open page. */
export interface Channel {
  readonly userId: string
  readonly role: 'user' | 'admin'
  readonly sessionHash: string
  /** The permissions of an administrator. Each heartbeat updates these permissions. */
  permissions: ReadonlySet<Permission>
  readonly messages: Readable
  /** Sends the topics that the user may see. Sends nothing if the user may see no topic. */
  sendChange(topics: readonly LiveTopic[], seq: bigint | null): void
  reload(seq: bigint): void
  /** Sends the number of the newest event that the stream includes. */
  sendPosition(seq: bigint): void
  sendHeartbeat(): void
  /**
   * Closes the stream. `session` first sends the message `end`, so that the browser stays
   * disconnected. After `stop`, the browser connects again.
   */
  close(why: 'session' | 'stop'): void
}

export function openChannel(
  reader: Pick<Channel, 'userId' | 'role' | 'sessionHash' | 'permissions'>,
  onClosed: (channel: Channel) => void,
): Channel {
  const messages = new PassThrough()
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

  const channel: Channel = {
    ...reader,
    messages,
    sendChange: (topics, seq) => {
      const shown = topics.filter((topic) => maySee(channel, topic))
      if (shown.length === 0) return
      const id = seq === null ? '' : `id: ${seq}\n`
      write(`${id}event: change\ndata: ${JSON.stringify({ topics: shown })}\n\n`)
    },
    reload: (seq) => write(`id: ${seq}\nevent: reload\ndata: {}\n\n`),
    sendPosition: (seq) => write(`id: ${seq}\nevent: position\ndata: {}\n\n`),
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
