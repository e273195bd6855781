/**
 * What both ends hash, so that a byte that changed on the way is noticed: TCP's own checksum lets one
 * of some thousands of damaged packets pass, and a changed digit of an amount is still JSON. The
 * digest of a call stands behind the service token, in a header that is refused when it is damaged.
 */
export function digestedCall(call: { method: string; path: string; body: string }): string {
  return `${call.method} ${call.path}\n${call.body}`
}

/** With the call's digest, so that the answer to another call is not taken for this one's. */
export function digestedAnswer(answer: {
  callDigest: string
  status: number
  body: string
}): string {
  return `${answer.callDigest} ${answer.status}\n${answer.body}`
}

export const ANSWER_DIGEST_HEADER = 'x-answer-digest'
