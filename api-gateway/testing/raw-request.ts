import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 1_000

export interface RawReply {
  /** Of every answer that came back, in order. */
  statuses: readonly number[]
  text: string
  tookMs: number
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // A server that cuts somebody off resets the connection.
  socket.on('error', () => {})
  return socket
}

/** Bytes as they are, and whatever comes back until the server ends it or has had a second. */
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
  // Anywhere: a second answer follows the body of the first without a line between them.
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { statuses, text, tookMs: performance.now() - began }
}
