import { useState } from 'react'

import { isDefiniteAnswer } from './failure.ts'

type Submission = {
  /** The key of this content: the same one until the server has certainly answered. */
  keyFor: (content: string) => string
  /** Call with what came back; undefined means success. */
  settle: (error?: unknown) => void
}

export function createSubmission(newKey: () => string): Submission {
  let kept: { content: string; key: string } | null = null
  return {
    keyFor: (content) => {
      if (kept?.content !== content) kept = { content, key: newKey() }
      return kept.key
    },
    settle: (error) => {
      if (error === undefined || isDefiniteAnswer(error)) kept = null
    },
  }
}

/** One submission of a form, however often it has to be sent. */
export function useSubmission(): Submission {
  const [submission] = useState(() => createSubmission(randomKey))
  return submission
}

/** 128 random bits; `randomUUID` is missing where the page comes over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
