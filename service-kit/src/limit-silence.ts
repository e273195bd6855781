import type { Socket } from 'node:net'
import pg from 'pg'

const PROBE_MS = 5_000
const TOO_MANY_CONNECTIONS = '53300'

interface Limit {
  /** The URL of the database of the client. */
  url: string
  silenceMs: number
}

/**
 * Ends the connection if the database has not answered a query for `silenceMs` and does not work on
 * it. A server that lost its power, or a firewall that forgot the connection, closes nothing, and
 * the kernel would send the bytes again for about 15 minutes. A server that still works, such as on
 * a commit that waits for a standby, is waited for. The query fails as with any lost connection: its
 * caller does not know whether it was carried out. A pipelined connection uses `query_timeout`
 * instead, because an answer to an earlier query does not show that the newest query is answered.
 */
export function limitSilence(client: pg.ClientBase, { url, silenceMs }: Limit): void {
  // The casts are safe because a connected client has a process on the server, a connection and, as
  // its stream, a socket.
  const { connection, processID } = client as pg.Client & { processID: number }
  const stream = connection.stream as Socket
  let answeredBytes = stream.bytesWritten
  stream.on('data', () => {
    answeredBytes = stream.bytesWritten
  })
  const endUnlessWorking = async () => {
    const sentBytes = stream.bytesWritten
    if (sentBytes === answeredBytes || (await isWorking(url, processID))) {
      stream.setTimeout(silenceMs)
    } else if (sentBytes > answeredBytes) {
      stream.destroy(new Error(`the database has not answered for ${silenceMs / 1_000} seconds`))
    }
  }
  stream.setTimeout(silenceMs)
  // The callback of `setTimeout` would be called only once.
  stream.on('timeout', () => void endUnlessWorking())
}

/**
 * Returns true if another connection sees that the process works on a query, or if the server
 * accepts no further connection and so cannot be asked.
 */
async function isWorking(url: string, processId: number): Promise<boolean> {
  const probe = new pg.Client({
    connectionString: url,
    application_name: 'cairn-probe',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const { rowCount } = await probe.query(
      `select from pg_catalog.pg_stat_activity where pid = $1 and state = 'active'`,
      [processId],
    )
    return rowCount === 1
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS
  } finally {
    await endConnection(probe)
  }
}

const END_MS = 2_000

/** Ends a connection. Does not wait for a server that no longer answers. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), END_MS)
  try {
    await client.end()
  } catch {
    // The connection had ended before.
  } finally {
    clearTimeout(timer)
  }
}
