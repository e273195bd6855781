import { z } from 'zod'

/**
 * The id of the command in another system, such as a payment file or an order. Several events may
 * have the same external id. The id must not contain personal data, because events are never
 * deleted.
 */
export const ExternalId = z
  .string()
  .regex(/^[!-~](?:[ -~]{0,62}[!-~])?$/, 'must have 1 to 64 printable ASCII characters')

const KEYS_MAX = 16
const MetadataKey = z.string().regex(/^[A-Za-z][\w.-]{0,39}$/, 'must be a key of metadata')
const MetadataValue = z.string().max(200)

/**
 * Data of another system about the command, as texts by key. The ledger stores the metadata with
 * the event, and no decision depends on it. Metadata must not contain personal data, because events
 * are never deleted.
 */
export const Metadata = z.record(MetadataKey, MetadataValue).refine(
  (metadata) => {
    const count = Object.keys(metadata).length
    return count >= 1 && count <= KEYS_MAX
  },
  { error: `must have 1 to ${KEYS_MAX} keys` },
)
export type Metadata = z.infer<typeof Metadata>
