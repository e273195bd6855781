import { useSyncExternalStore } from 'react'

/** A message about a success that was shown since the page was loaded. */
export interface VisitMessage {
  id: number
  text: string
  at: string
}

const MESSAGES_MAX = 50

// A logout and a login as another user load the whole page, so they empty this list.
let messages: readonly VisitMessage[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Keeps the message for the notification centre. The newest message is first. */
export function keepVisitMessage(text: string): void {
  lastId += 1
  const message = { id: lastId, text, at: new Date().toISOString() }
  messages = [message, ...messages].slice(0, MESSAGES_MAX)
  for (const listener of listeners) listener()
}

export function useVisitMessages(): readonly VisitMessage[] {
  return useSyncExternalStore(subscribe, getVisitMessages, getVisitMessages)
}

export function getVisitMessages(): readonly VisitMessage[] {
  return messages
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
