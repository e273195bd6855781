import type { IncomingMessage } from 'node:http'
import { HttpFailure } from './failure.ts'

const BODY_BYTES_MAX = 64 * 1024
const DEPTH_MAX = 8
const READ_TIMEOUT_MS = 15_000

/** Reads the body of a request without a file. The body can be JSON, urlencoded or empty. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = getMediaType(request)
  const bytes = await readBytes(request)
  if (bytes.length === 0) return {}
  if (type === 'application/json') return parseJson(bytes)
  if (type === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  }
  throw createUnsupportedTypeFailure()
}

export function getMediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function createUnsupportedTypeFailure(): HttpFailure {
  return new HttpFailure(415, 'UNSUPPORTED_TYPE', 'Send JSON or a form')
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const timer = setTimeout(
    () => request.destroy(new Error('the request body arrived too slowly')),
    READ_TIMEOUT_MS,
  )
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > BODY_BYTES_MAX) {
        throw new HttpFailure(413, 'TOO_LARGE', 'The request is too large')
      }
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpFailure) throw error
    // The client has disconnected or was too slow. Such a failure must not be logged as a 500.
    throw new HttpFailure(400, 'INVALID', 'The request was cut off', { cause: error })
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new HttpFailure(400, 'INVALID', 'The body is not JSON', { cause })
  }
  if (measureDepth(value, DEPTH_MAX) > DEPTH_MAX) {
    throw new HttpFailure(400, 'INVALID', 'The body is nested too deeply')
  }
  return value
}

function measureDepth(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (left === 0) return 1
  return 1 + Math.max(0, ...Object.values(value).map((item) => measureDepth(item, left - 1)))
}
