import { z } from 'zod'

/** The answer to a request for another code. */
export const CodeRequested = z.object({
  /** The seconds until another code can be requested. */
  retryAfter: z.int(),
  /**
   * False if no code was mailed, because the previous code was mailed too recently or too many codes
   * were mailed within an hour. The previous code then stays valid. Missing in the answers of
   * release 0.9.0.
   */
  isSent: z.boolean().optional(),
})
