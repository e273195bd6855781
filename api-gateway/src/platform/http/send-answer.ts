import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { StoredAnswer } from './keyed-request.ts'
import type { FileAnswer, StreamAnswer } from './registry.ts'

export type Answer = StoredAnswer | FileAnswer | StreamAnswer

export function sendAnswer(ctx: Context, answer: Answer): void {
  ctx.set('Cache-Control', 'no-store')
  if ('mediaType' in answer) {
    ctx.set({
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': answer.isDownload ? 'no-store' : 'private, max-age=300',
      'Content-Disposition': `${answer.isDownload ? 'attachment' : 'inline'}; filename="${answer.fileName}"`,
    })
    ctx.type = answer.mediaType
    ctx.body = answer.bytes
    return
  }
  if ('messages' in answer) {
    // Turns off response buffering in nginx, because buffering would delay messages.
    ctx.set('X-Accel-Buffering', 'no')
    ctx.type = 'text/event-stream; charset=utf-8'
    ctx.body = answer.messages
    return
  }
  ctx.status = answer.status
  if (answer.status === 204) return
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = answer.body
}

/**
 * Calls the function once, after a streamed answer has ended or its connection is closed; at once
 * if the answer is not streamed. An answer that waits behind another one of its connection never
 * ends if the connection is closed, so the connection is watched too.
 */
export function callAfterAnswer(
  { body, req, res }: Pick<Context, 'body' | 'req' | 'res'>,
  call: () => void,
): void {
  const { socket } = req
  if (!(body instanceof Readable) || socket.destroyed) {
    call()
    return
  }
  const callOnce = () => {
    res.off('close', callOnce)
    socket.off('close', callOnce)
    call()
  }
  res.once('close', callOnce)
  socket.once('close', callOnce)
}
