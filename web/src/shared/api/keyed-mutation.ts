import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorCode, isDefiniteAnswer, needsLogin } from './failure.ts'

type Keyed<Content> = { content: Content; key: string }
type Submission<Content> = {
  /**
   * Returns the idempotency key for this content, and the content that was first sent with the key.
   * Both stay the same until `settle` records a definite answer, because the server refuses a key
   * with other content.
   */
  getRequest: (content: Content) => Keyed<Content>
  /** Records the outcome of the request. If `error` is undefined, the request has succeeded. */
  settle: (error?: unknown) => void
}

export function createSubmission<Content>(
  newKey: () => string,
  describeContent: (content: Content) => string,
): Submission<Content> {
  let kept: (Keyed<Content> & { description: string }) | null = null
  return {
    getRequest: (content) => {
      const description = describeContent(content)
      if (kept?.description !== description) kept = { description, content, key: newKey() }
      return kept
    },
    settle: (error) => {
      if (error === undefined || (isDefiniteAnswer(error) && !isAskedToProve(error))) kept = null
    },
  }
}

/**
 * True if the server wants a login or a step-up first. It has not looked at the key then, so it has
 * not said whether an earlier attempt was carried out.
 */
function isAskedToProve(error: unknown): boolean {
  return needsLogin(error) || getErrorCode(error) === 'STEP_UP_REQUIRED'
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
  /**
   * Returns a text that differs if the user wants something else. The default is JSON. What can
   * change without the user, such as a version of a text, is not a part of it: an attempt after a
   * lost answer would otherwise be another request.
   */
  describeContent?: (content: Content) => string
  /** Loads what the request may have changed. The error is null after a success. */
  reload?: (error: Error | null) => Promise<unknown>
}) {
  const [submission] = useState(() => createSubmission(createRandomKey, describeContent))
  return useMutation({
    mutationFn: (wanted: Content) => {
      const { content, key } = submission.getRequest(wanted)
      return send(content, key)
    },
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
