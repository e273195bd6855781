import pg from 'pg'
import type { Logger } from 'pino'
import { CHANGE_CHANNEL, type PublishedChange, parseChange } from './published-change.ts'

const RECONNECT_MS = 2_000
/** This connection sends nothing, so only a probe finds out that its server is gone. */
const PROBE_AFTER_MS = 10_000

/**
 * Listens for the changes that gateways and workers publish through PostgreSQL. If a message is
 * lost, the page gets the change at its next request.
 */
export function listenForChanges(options: {
  url: string
  log: Logger
  onChange(change: PublishedChange): void
}): { stop(): Promise<void> } {
  const { url, log, onChange } = options
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopping = false

  async function connect(): Promise<void> {
    const opened = new pg.Client({
      connectionString: url,
      application_name: 'cairn-gateway-live',
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    })
    client = opened
    opened.on('notification', ({ payload = '' }) => {
      const change = parseChange(payload)
      if (change !== null) onChange(change)
    })
    opened.on('error', (error) => log.warn({ err: error }, 'live connection lost'))
    opened.once('end', reconnectLater)
    await opened.connect()
    await opened.query(`listen ${CHANGE_CHANNEL}`)
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
