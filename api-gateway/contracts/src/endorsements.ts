import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, NoContent } from './endpoint.ts'
import { declareFailure, declareNotFound } from './failures.ts'
import {
  byId,
  createOptionalTextField,
  createRequiredTextField,
  createWholeNumberField,
  Flag,
  Instant,
  identity,
  idParams,
} from './fields.ts'

export const ENDORSEMENTS_MAX = 100
const CONSENT_CHARACTERS_MIN = 10

const EndorsementKind = z.enum(['testimonial', 'sponsor'], 'Choose testimonial or sponsor')

const shown = {
  ...identity,
  kind: EndorsementKind,
  name: z.string(),
  /** The relation of the person to the operator, such as `Investor since 2024`. */
  role: z.string().nullable(),
  /** The text of a testimonial; null for a sponsor. */
  quote: z.string().nullable(),
  /**
   * True if the person or the company is rewarded for the endorsement. The page states the reward
   * of such an endorsement.
   */
  isPaid: z.boolean(),
}

/** The public fields of a testimonial or a sponsor. */
export const PublicEndorsement = z.object(shown)
export type PublicEndorsement = z.infer<typeof PublicEndorsement>

export const Endorsement = z.object({
  ...shown,
  /** The place and the time at which the person or the company consented to the endorsement. */
  consent: z.string(),
  position: z.int(),
  displayStatus: z.boolean(),
  updatedAt: Instant,
})
export type Endorsement = z.infer<typeof Endorsement>

/** The whole testimonial or sponsor. An edit replaces every field. */
export const EndorsementForm = z
  .strictObject({
    kind: EndorsementKind,
    name: createRequiredTextField('Name', 120),
    role: createOptionalTextField('Role', 120),
    quote: createOptionalTextField('Quote', 600),
    consent: createRequiredTextField('Consent', 500).refine(
      (text) => text.length >= CONSENT_CHARACTERS_MIN,
      'State where and when the person or the company agreed',
    ),
    isPaid: Flag,
    position: createWholeNumberField('Position', { min: 0, max: 10_000 }).optional(),
    displayStatus: Flag.default(true),
  })
  .transform((form, context) => {
    if (form.kind === 'sponsor') return { ...form, quote: null }
    if (form.quote !== null) return form
    context.addIssue({ code: 'custom', path: ['quote'], message: 'Quote is required' })
    return z.NEVER
  })

const many = z.object({ endorsements: z.array(Endorsement) })
const one = z.object({ endorsement: Endorsement })

/** Lists the visible testimonials and sponsors, sorted by position. */
export const listPublicEndorsements = declareEndpoint({
  method: 'GET',
  path: '/public/endorsements',
  access: 'anyone',
  response: z.object({ endorsements: z.array(PublicEndorsement) }),
})

export const listEndorsements = declareEndpoint({
  method: 'GET',
  path: '/admin/endorsements',
  permission: 'endorsements.read',
  response: many,
})

export const createEndorsement = declareEndpoint({
  method: 'POST',
  path: '/admin/endorsements',
  permission: 'endorsements.write',
  request: z.strictObject({ body: EndorsementForm }),
  status: 201,
  response: one,
  failures: [
    declareFailure(
      422,
      'TOO_MANY',
      'There can be at most {count} testimonials and sponsors in total. Delete one first.',
    ),
  ],
})

/**
 * Replaces a testimonial or a sponsor. `updatedAt` is the state that the page showed. The answer is
 * 409 if the entry has changed since then to other values than those of the body. It is in the
 * query, because release 0.9.0 refuses a body with an unknown field.
 */
export const editEndorsement = declareEndpoint({
  method: 'PUT',
  path: '/admin/endorsements/:id',
  permission: 'endorsements.write',
  request: z.strictObject({
    params: idParams,
    query: z.strictObject({ updatedAt: Instant.optional() }),
    body: EndorsementForm,
  }),
  response: one,
  failures: [
    declareNotFound('testimonial or sponsor'),
    declareFailure(
      409,
      'VERSION_CONFLICT',
      'Another administrator has changed this entry. Close it, open it again and repeat your change.',
    ),
  ],
})

export const deleteEndorsement = declareEndpoint({
  method: 'DELETE',
  path: '/admin/endorsements/:id',
  permission: 'endorsements.write',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [declareNotFound('testimonial or sponsor')],
})

export const exportEndorsements = declareCsvEndpoint({
  path: '/admin/endorsements.csv',
  permission: 'endorsements.read',
})
