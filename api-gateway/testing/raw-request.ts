import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 1_000

export interface RawReply {
  /** The status codes of all responses, in order. */
  statuses: readonly number[]
  text: string
  tookMs: number
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // Ignores the error if the server closes the connection early.
  socket.on('error', () => {})
  return socket
}

/** Sends raw bytes. Reads until the server closes the connection, but at most one second. */
export async function sendRaw(url: string, request: string | Buffer): Promise<RawReply> {
  const socket = openSocket(url)
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  const began = performance.now()
  socket.write(request)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([closed, delay(WAIT_MS)])
  socket.destroy()
  // The responses are not separated by lines: a second response can follow directly after the body
  // of the first response.
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { statuses, text, tookMs: performance.now() - began }
}
