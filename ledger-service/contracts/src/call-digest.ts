/**
 * Returns the text that represents a call. The client and the server both hash this text. The hash
 * detects bytes that changed in transit, because TCP does not detect all such changes. The client
 * sends the hash after the service token in the `authorization` header.
 */
export function formatCallToHash(call: { method: string; path: string; body: string }): string {
  return `${call.method} ${call.path}\n${call.body}`
}

/**
 * Returns the text that represents an answer. The client and the server both hash this text. The
 * text includes the digest of the call, so that the client rejects an answer that belongs to a
 * different call.
 */
export function formatAnswerToHash(answer: {
  callDigest: string
  status: number
  body: string
}): string {
  return `${answer.callDigest} ${answer.status}\n${answer.body}`
}

export const ANSWER_DIGEST_HEADER = 'x-answer-digest'
