import { z } from 'zod'
import { ChangeSummary } from './change-requests.ts'

/** One field name with its error message. */
export const FieldError = z.record(z.string(), z.string())
export type FieldError = z.infer<typeof FieldError>

/** `fail`: the request was refused. `error`: the server could not process the request. */
export const Failure = z.object({
  status: z.enum(['fail', 'error']),
  message: z.string(),
  code: z.string(),
  errors: z.union([z.array(FieldError), z.record(z.string(), z.string())]).optional(),
  /** The number of seconds to wait before the next attempt. */
  retryAfter: z.int().optional(),
  requestId: z.string().optional(),
  /**
   * Data that a page needs in addition to the message. The documentation of each endpoint describes
   * its data.
   */
  details: z.record(z.string(), z.unknown()).optional(),
  /**
   * The change request that waits for another administrator. It is set only if the code is
   * `CHANGE_REQUESTED`; the call has then changed nothing.
   */
  data: z.object({ changeRequest: ChangeSummary }).optional(),
})
export type Failure = z.infer<typeof Failure>

export function createSuccessSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), data })
}

/** The error that the API client throws for each response that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number
  readonly code: string
  /** The message for each field name. */
  readonly errors: Readonly<Record<string, string>>
  readonly retryAfterSeconds: number | null
  readonly details: Readonly<Record<string, unknown>>
  /**
   * The change request, if the call failed because another administrator must approve it first.
   * Otherwise null.
   */
  readonly changeRequest: ChangeSummary | null

  constructor(failure: {
    status: number
    code: string
    message: string
    errors?: Failure['errors']
    retryAfter?: number | undefined
    details?: Failure['details']
    data?: Failure['data']
    cause?: unknown
  }) {
    super(failure.message, { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.errors = toErrorMap(failure.errors)
    this.retryAfterSeconds = failure.retryAfter ?? null
    this.details = failure.details ?? {}
    this.changeRequest = failure.data?.changeRequest ?? null
  }
}

/** Converts both formats of field errors to one map from field name to message. */
export function toErrorMap(errors: Failure['errors']): Record<string, string> {
  if (errors === undefined) return {}
  return Array.isArray(errors) ? Object.assign({}, ...errors) : errors
}
