import type { Faq } from '@cairn/gateway-contracts'

/** The place of an answered question in the list, and the present time. */
export interface AnswerPlace {
  position: number
  now: Date
}

/** Creates a question whose answer is computed at each request and not stored. */
export function createAnsweredQuestion(
  text: { id: string; question: string; answer: string },
  { position, now }: AnswerPlace,
): Faq {
  return {
    ...text,
    _id: text.id,
    position,
    displayStatus: true,
    updatedAt: now.toISOString(),
  }
}
