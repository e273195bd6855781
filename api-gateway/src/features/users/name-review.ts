import { reviewName } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { storePrivateText } from '../../platform/erasure/private-text.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { presentUser, requirePresentableUser } from './present-user.ts'
import { getUserRow } from './user.ts'

/**
 * Creates the only route that changes a verified name. An administrator must review the name,
 * because the site compares bank accounts with it.
 */
export function createNameReviewRoute(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'seal' | 'settings'>,
): Route {
  return declareRoute(
    reviewName,
    { rate: 'write', owner: 'any', audit: 'user.review-name' },
    async ({ params, body }, exchange) => {
      const { nowMs } = exchange
      const { name, decision, reason } = body
      const user = await getUserRow(deps.db, params.id)
      if (user.id === getCaller(exchange).userId) {
        throw new HttpFailure(409, 'NAME_OWN', 'Another administrator must review your own name')
      }
      await requirePresentableUser(deps, user)
      await deps.db.transaction().execute(async (trx) => {
        const change = decision === 'approve' ? { name } : {}
        const reviewed = await trx
          .updateTable('identity.user')
          .set({ ...change, pending_name: null, updated_at: new Date(nowMs) })
          .where('id', '=', user.id)
          // No row matches if the user has entered another name since the page was loaded.
          .where('pending_name', '=', name)
          .returning('id')
          .executeTakeFirst()
        if (reviewed === undefined) {
          const message = 'This name is not waiting for a review'
          throw new HttpFailure(409, 'NAME_NOT_PENDING', message)
        }
        const outcome = decision === 'approve' ? 'accepted' : 'not accepted'
        const mail = { kind: 'name-reviewed', userId: user.id } as const
        await queueMail(trx, deps.seal, { ...mail, content: { newName: name, outcome }, nowMs })
      })
      // Rows of the audit log cannot be erased. The row therefore contains only a reference to the
      // reason, and the reason itself is erased with the person.
      const hidden = await storePrivateText(deps.db, { userId: user.id, text: reason, nowMs })
      exchange.note({ subject: user.id, decision, reason: hidden })
      return { user: await presentUser(deps, await getUserRow(deps.db, user.id)) }
    },
  )
}
