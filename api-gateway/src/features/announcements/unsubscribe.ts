import { CONSENTS, unsubscribe } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { readUnsubscribeToken, type Subscription } from '../../platform/mail/unsubscribe-token.ts'

/** Creates the call that switches off a kind of mail for the person whom its token names. */
export function createUnsubscribeRoute({ db, seal }: Pick<Dependencies, 'db' | 'seal'>): Route {
  return declareRoute(
    unsubscribe,
    {
      rate: 'write',
      owner: 'any',
      audit: 'preferences.unsubscribe',
      isOpenInMaintenance: true,
      findProvedUser: ({ query: { token } }) =>
        typeof token === 'string' ? (readUnsubscribeToken(seal, token)?.userId ?? null) : null,
    },
    async ({ query }, exchange) => {
      const subscription = readUnsubscribeToken(seal, query.token)
      if (subscription === null) {
        throw new HttpFailure(
          400,
          'UNSUBSCRIBE_LINK_INVALID',
          'This link is not valid. You can switch these emails off in your settings.',
        )
      }
      const { userId, kind } = subscription
      await switchOff(db, { ...subscription, nowMs: exchange.nowMs })
      exchange.note({ actor: userId, subject: userId, kind })
      return { kind }
    },
  )
}

/** Switches off the preference and keeps all others. A deleted person has no preferences. */
async function switchOff(
  db: Database,
  { userId, kind, nowMs }: Subscription & { nowMs: number },
): Promise<void> {
  const change = JSON.stringify({ [CONSENTS[kind]]: false })
  await db
    .updateTable('platform.preference')
    .set({ content: sql`content || ${change}::jsonb`, updated_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .execute()
}
