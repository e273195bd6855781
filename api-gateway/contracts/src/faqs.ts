import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, NoContent } from './endpoint.ts'
import { declareFailure, declareNotFound } from './failures.ts'
import {
  byId,
  createRequiredTextField,
  createWholeNumberField,
  Flag,
  Instant,
  identity,
  idParams,
} from './fields.ts'

export const FAQS_MAX = 100

export const Faq = z.object({
  ...identity,
  question: z.string(),
  answer: z.string(),
  /** The list of FAQs is sorted by this number, in ascending order. */
  position: z.int(),
  displayStatus: z.boolean(),
  updatedAt: Instant,
})
export type Faq = z.infer<typeof Faq>

const fields = {
  question: createRequiredTextField('Question', 300),
  answer: z
    .string('Answer is required')
    .trim()
    .min(1, 'Answer is required')
    .max(5_000, 'Answer must be at most 5000 characters')
    .regex(/^[^\p{Cs}\0]*$/u, 'Answer has characters that cannot be stored'),
  position: createWholeNumberField('Position', { min: 0, max: 10_000 }),
  displayStatus: Flag,
}
export const FaqForm = z.strictObject({
  ...fields,
  position: fields.position.optional(),
  displayStatus: fields.displayStatus.default(true),
})
const many = z.object({ faqs: z.array(Faq) })
const one = z.object({ faq: Faq })

/**
 * Lists the visible FAQs, sorted by their position. The last one is about minimum amounts and fees;
 * its answer follows from the money rules, so administrators do not edit it.
 */
export const listPublicFaqs = declareEndpoint({
  method: 'GET',
  path: '/public/faqs',
  access: 'anyone',
  response: many,
})

export const listFaqs = declareEndpoint({
  method: 'GET',
  path: '/admin/faqs',
  permission: 'faqs.read',
  response: many,
})

export const createFaq = declareEndpoint({
  method: 'POST',
  path: '/admin/faqs',
  permission: 'faqs.write',
  request: z.strictObject({ body: FaqForm }),
  status: 201,
  response: one,
  failures: [declareFailure(422, 'TOO_MANY', 'There can be at most {count} questions')],
})

/** Changes a FAQ. Fields that are not sent keep their values. */
export const editFaq = declareEndpoint({
  method: 'PATCH',
  path: '/admin/faqs/:id',
  permission: 'faqs.write',
  request: z.strictObject({ params: idParams, body: z.strictObject(fields).partial() }),
  response: one,
  failures: [declareNotFound('question')],
})

export const deleteFaq = declareEndpoint({
  method: 'DELETE',
  path: '/admin/faqs/:id',
  permission: 'faqs.write',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [declareNotFound('question')],
})

export const exportFaqs = declareCsvEndpoint({ path: '/admin/faqs.csv', permission: 'faqs.read' })
