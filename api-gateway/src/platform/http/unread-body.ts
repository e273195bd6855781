import type { Context } from 'koa'

const UNREAD_BYTES_MAX = 4 * 1024 * 1024

/** If the unread rest of the body is long, the connection is closed and the rest is not read. */
export function closeIfBodyIsLong(ctx: Context): void {
  if (ctx.req.complete) return
  const length = Number(ctx.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (!(length <= UNREAD_BYTES_MAX)) ctx.set('Connection', 'close')
}
