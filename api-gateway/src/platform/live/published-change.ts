import { LiveTopic } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export const CHANGE_CHANNEL = 'cairn_notified'

/**
 * Maximum number of user ids in one payload. PostgreSQL limits the payload of NOTIFY to 8,000
 * bytes.
 */
const IDS_PER_PAYLOAD = 200
/** The topic of a payload without a topic. Release 0.9.0 writes and reads only such payloads. */
const USUAL_TOPIC = 'notifications'

/** A change that is not an event of a ledger. The pages of the users load its topic again. */
export interface PublishedChange {
  topic: LiveTopic
  userIds: readonly string[]
}

/**
 * Publishes a change to the pages on all gateways. If `db` is a transaction, PostgreSQL delivers
 * the message after the commit, so that no page loads the old data again.
 */
export async function publishChange(
  db: Database,
  { topic, userIds }: PublishedChange,
): Promise<void> {
  const prefix = topic === USUAL_TOPIC ? '' : `${topic}:`
  for (let start = 0; start < userIds.length; start += IDS_PER_PAYLOAD) {
    const payload = `${prefix}${userIds.slice(start, start + IDS_PER_PAYLOAD).join(',')}`
    await sql`select pg_notify(${CHANGE_CHANNEL}, ${payload})`.execute(db)
  }
}

/** Returns the published change; null if this release does not know its topic. */
export function parseChange(payload: string): PublishedChange | null {
  const place = payload.indexOf(':')
  const topic = LiveTopic.safeParse(place === -1 ? USUAL_TOPIC : payload.slice(0, place))
  if (!topic.success) return null
  return { topic: topic.data, userIds: payload.slice(place + 1).split(',') }
}
