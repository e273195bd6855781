import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareNotFound } from './failures.ts'
import {
  byId,
  createOptionalTextField,
  createRequiredTextField,
  createWholeNumberField,
  Email,
  Id,
  Instant,
  identity,
} from './fields.ts'

export const ContactForm = z.strictObject({
  name: createRequiredTextField('Name', 120),
  email: Email,
  message: z
    .string('Message is required')
    .trim()
    .min(10, 'Please write at least ten characters')
    .max(5_000, 'Message must be at most 5000 characters')
    .regex(/^[^\p{Cs}\0]*$/u, 'Message has characters that cannot be stored'),
  /**
   * A hidden field (honeypot). People do not see it, so a message that fills it comes from a
   * program.
   */
  website: createOptionalTextField('Website', 200),
})
export type ContactForm = z.input<typeof ContactForm>

/**
 * Sends a message to the operator. The answer is the same for a stored and for a discarded message.
 */
export const sendContactMessage = declareEndpoint({
  method: 'POST',
  path: '/contact',
  access: 'anyone',
  request: z.strictObject({ body: ContactForm }),
  status: 201,
  response: z.object({ received: z.literal(true) }),
})

export const ContactMessage = z.object({
  ...identity,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  createdAt: Instant,
  answeredAt: Instant.nullable(),
})
export type ContactMessage = z.infer<typeof ContactMessage>

/** Lists the contact messages, newest first. */
export const listContactMessages = declareEndpoint({
  method: 'GET',
  path: '/admin/messages',
  permission: 'messages.read',
  request: z.strictObject({
    query: z.strictObject({
      limit: createWholeNumberField('limit', { min: 1, max: 200 }).default(50),
      before: Id.optional(),
    }),
  }),
  response: z.object({
    messages: z.array(ContactMessage),
    meta: z.object({ open: z.int(), next: Id.nullable() }),
  }),
})

export const markMessageAnswered = declareEndpoint({
  method: 'PATCH',
  path: '/admin/messages/:id/answered',
  permission: 'messages.answer',
  request: byId,
  response: z.object({ message: ContactMessage }),
  failures: [declareNotFound('message')],
})

export const exportMessages = declareCsvEndpoint({
  path: '/admin/messages.csv',
  permission: 'messages.read',
})
