import { useSyncExternalStore } from 'react'

interface Question {
  /** Whether the second factor was shown. */
  readonly answered: Promise<boolean>
  answer(isShown: boolean): void
}

let question: Question | null = null
const listeners = new Set<() => void>()

/**
 * Asks whoever sits here for the second factor, once for all calls that wait for it. Where nobody
 * listens there is nobody to ask.
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

/** The question that waits for an answer. */
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
    // Nobody is left to answer.
    if (listeners.size === 0) question?.answer(false)
  }
}
