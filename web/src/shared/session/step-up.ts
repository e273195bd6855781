import { useSyncExternalStore } from 'react'

interface Question {
  /** Resolves to true if the user proved the second factor, and to false otherwise. */
  readonly answered: Promise<boolean>
  answer(isShown: boolean): void
}

let question: Question | null = null
const listeners = new Set<() => void>()

/**
 * Asks for the second factor once for all requests that wait for a step-up. Resolves to false if no
 * dialog is mounted.
 */
export function requestStepUp(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  if (question !== null) return question.answered
  const { promise, resolve } = Promise.withResolvers<boolean>()
  question = {
    answered: promise,
    answer: (isShown) => {
      question = null
      resolve(isShown)
      notifyListeners()
    },
  }
  notifyListeners()
  return promise
}

/** Returns the pending step-up request. */
export function useStepUpRequest(): Question | null {
  return useSyncExternalStore(subscribe, () => question)
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // The last dialog has unmounted. No dialog can answer the pending question, so the answer is
    // false.
    if (listeners.size === 0) question?.answer(false)
  }
}
