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

/** Keeps the idempotency key of one form submission across retries. */
export function useSubmission(): Submission {
  const [submission] = useState(() => createSubmission(createRandomKey))
  return submission
}

/** Returns 128 random bits; `randomUUID` is missing on pages served over plain HTTP. */
function createRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
