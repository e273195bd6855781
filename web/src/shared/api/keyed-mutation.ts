import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { isDefiniteAnswer } from './failure.ts'

type Submission = {
  /**
   * Returns the idempotency key for this content. The key stays the same until `settle` records a
   * definite answer.
   */
  getKey: (content: string) => string
  /** Records the outcome of the request. If `error` is undefined, the request has succeeded. */
  settle: (error?: unknown) => void
}

export function createSubmission(newKey: () => string): Submission {
  let kept: { content: string; key: string } | null = null
  return {
    getKey: (content) => {
      if (kept?.content !== content) kept = { content, key: newKey() }
      return kept.key
    },
    settle: (error) => {
      if (error === undefined || isDefiniteAnswer(error)) kept = null
    },
  }
}

/**
 * Returns a mutation with an idempotency key. The key stays the same until the server has answered
 * definitely, so that an attempt after a lost answer repeats the same request.
 */
export function useKeyedMutation<Content, Answer>({
  send,
  describeContent = JSON.stringify,
  reload,
}: {
  send: (content: Content, idempotencyKey: string) => Promise<Answer>
  /** Returns a text that differs if the request differs. The default is JSON. */
  describeContent?: (content: Content) => string
  /** Loads what the request may have changed. The error is null after a success. */
  reload?: (error: Error | null) => Promise<unknown>
}) {
  const [submission] = useState(() => createSubmission(createRandomKey))
  return useMutation({
    mutationFn: (content: Content) => send(content, submission.getKey(describeContent(content))),
    onSuccess: () => submission.settle(),
    onError: (error) => submission.settle(error),
    onSettled: (_answer, error) => reload?.(error),
  })
}

/** Returns 128 random bits; `randomUUID` is missing on pages served over plain HTTP. */
function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
