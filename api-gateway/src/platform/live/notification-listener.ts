import pg from 'pg'
import type { Logger } from 'pino'

const RECONNECT_MS = 2_000
export const NOTIFICATION_CHANNEL = 'cairn_notified'

/**
 * Listens for new notifications that the worker announces through PostgreSQL. Reports the users who
 * have new notifications. If a message is lost, the page gets the notification at its next request.
 */
export function listenForNotifications(options: {
  url: string
  log: Logger
  onNotifications(userIds: readonly string[]): void
}): { stop(): Promise<void> } {
  const { url, log, onNotifications } = options
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopping = false

  async function connect(): Promise<void> {
    const opened = new pg.Client({ connectionString: url, application_name: 'cairn-gateway-live' })
    client = opened
    opened.on('notification', ({ payload = '' }) => onNotifications(payload.split(',')))
    opened.on('error', (error) => log.warn({ err: error }, 'live connection lost'))
    opened.once('end', reconnectLater)
    await opened.connect()
    await opened.query(`listen ${NOTIFICATION_CHANNEL}`)
  }

  function reconnectLater(): void {
    // A connection that cannot be opened emits both `error` and `end`. One reconnect is enough.
    if (isStopping || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      connect().catch(reconnectLater)
    }, RECONNECT_MS)
  }

  connect().catch((error) => {
    log.warn({ err: error }, 'live connection could not be opened')
    reconnectLater()
  })
  return {
    stop: async () => {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
