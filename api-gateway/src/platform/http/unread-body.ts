import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

const UNREAD_BYTES_MAX = 4 * 1024 * 1024

/** If the unread rest of the body is long, the connection is closed and the rest is not read. */
export function closeIfBodyIsLong(ctx: Context): void {
  if (hasLongBody(ctx.req)) ctx.set('Connection', 'close')
}

/** True if a body was not read and is too long to read it only to keep the connection. */
export function hasLongBody(request: IncomingMessage): boolean {
  if (request.complete) return false
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return !(length <= UNREAD_BYTES_MAX)
}
