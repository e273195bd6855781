import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Ends the connection if the database does not answer a query for `silenceMs`. A server that lost its
 * power, or a firewall that forgot the connection, closes nothing, and the kernel would send the
 * bytes again for about 15 minutes. The query fails as with any lost connection: its caller does not
 * know whether it was carried out. The limit must be longer than every statement of the connection.
 * A pipelined connection uses `query_timeout` instead, because an answer to an earlier query does
 * not show that the newest query is answered.
 */
export function limitSilence(client: pg.ClientBase, silenceMs: number): void {
  // The casts are safe because a connected client has a connection, and its stream is a socket.
  const stream = (client as pg.Client).connection.stream as Socket
  let answeredBytes = stream.bytesWritten
  stream.on('data', () => {
    answeredBytes = stream.bytesWritten
  })
  stream.setTimeout(silenceMs)
  // The callback of `setTimeout` would be called only once.
  stream.on('timeout', () => {
    if (stream.bytesWritten === answeredBytes) return
    stream.destroy(new Error(`the database has not answered for ${silenceMs / 1_000} seconds`))
  })
}
