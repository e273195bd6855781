import pg from 'pg'
import type { Logger } from 'pino'

const RECONNECT_MS = 2_000
export const NOTIFIED_CHANNEL = 'cairn_notified'

/**
 * Listens for committed notifications of the worker and reports their users. A message lost while
 * the connection is down is harmless: the page reads it at its next request.
 */
export function listenForNotified(options: {
  url: string
  log: Logger
  onNotified(userIds: readonly string[]): void
}): { stop(): Promise<void> } {
  const { url, log, onNotified } = options
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopping = false

  async function connect(): Promise<void> {
    const opened = new pg.Client({ connectionString: url, application_name: 'cairn-gateway-live' })
    client = opened
    opened.on('notification', ({ payload = '' }) => onNotified(payload.split(',')))
    opened.on('error', (error) => log.warn({ err: error }, 'the live connection broke'))
    opened.once('end', comeBack)
    await opened.connect()
    await opened.query(`listen ${NOTIFIED_CHANNEL}`)
  }

  function comeBack(): void {
    // A connection that cannot be opened emits both `error` and `end`.
    if (isStopping || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      connect().catch(comeBack)
    }, RECONNECT_MS)
  }

  connect().catch((error) => {
    log.warn({ err: error }, 'the live connection could not be opened')
    comeBack()
  })
  return {
    stop: async () => {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
