import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  ADMIN_CHANGE,
  type ChangeDefinition,
  syncApprovers,
  toPersonalLine,
} from '../change-requests/index.ts'
import { lockAdmin } from '../users/index.ts'
import { deleteAdmin } from './deletion.ts'

const DeletionPayload = z.strictObject({ userId: z.string(), name: z.string() })
export type DeletionPayload = z.infer<typeof DeletionPayload>

/** Creates the definition of the change that deletes an administrator. */
export function createDeletionChange(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'objects'>,
): ChangeDefinition<DeletionPayload> {
  return {
    ...ADMIN_CHANGE,
    kind: 'admin-deletion',
    payload: DeletionPayload,
    getTitle: ({ name }) => `Deletion of the administrator ${name}`,
    readBefore: async (db, { userId }) => {
      const found = await lockAdmin(db, userId)
      return found === null ? null : { name: found.name, status: found.status }
    },
    describeChange: async ({ name }) => [
      toPersonalLine('Administrator', { before: name, after: null }),
    ],
    execute: ({ trx, payload: { userId }, approvedBy: adminId, nowMs }) =>
      deleteAdmin(trx, deps, { userId, adminId, nowMs }),
    finishChange: () => syncApprovers(deps),
  }
}
