import { setTimeout as delay } from 'node:timers/promises'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { expect } from 'vitest'
import type { Visitor } from './test-gateway.ts'

/** A page with an open event stream. */
export interface LivePage {
  /** All messages of the stream except `position`. */
  messages: { event: string; id: string | null; topics: string[] }[]
  position: string | null
  isEnded: boolean
  close(): void
}

/** Opens an event stream as a browser does. */
export async function openLivePage(
  gateway: { url: string },
  visitor: Visitor,
  { lastEventId, query = '' }: { lastEventId?: string | undefined; query?: string } = {},
): Promise<LivePage> {
  const giveUp = new AbortController()
  const response = await fetch(`${gateway.url}/api/v1/events${query}`, {
    headers: {
      cookie: visitor.cookie,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: giveUp.signal,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const page: LivePage = {
    messages: [],
    position: null,
    isEnded: false,
    close: () => giveUp.abort(),
  }
  readMessages(response, page).catch(() => undefined)
  return page
}

async function readMessages(response: Response, page: LivePage): Promise<void> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts.filter((line) => !line.startsWith(':'))) {
      const readField = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? null
      const { topics = [] } = JSON.parse(readField('data') ?? '{}') as { topics?: string[] }
      if (readField('event') === 'position') page.position = readField('id')
      else page.messages.push({ event: readField('event') ?? '', id: readField('id'), topics })
    }
  }
  page.isEnded = true
}

export async function waitUntil(what: () => boolean): Promise<number> {
  const began = performance.now()
  while (!what()) {
    if (performance.now() - began > chooseTimeLimit(5_000)) throw new Error('it did not come about')
    await delay(10)
  }
  return performance.now() - began
}
