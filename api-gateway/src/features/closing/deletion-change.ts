import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type ChangeDefinition, syncApprovers } from '../change-requests/index.ts'
import { findAdminTarget } from '../users/index.ts'
import { deleteAdmin } from './deletion.ts'

const DeletionPayload = z.strictObject({ userId: z.string(), name: z.string() })
export type DeletionPayload = z.infer<typeof DeletionPayload>

/** The deletion of an administrator. */
export function createDeletionChange(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'objects'>,
): ChangeDefinition<DeletionPayload> {
  return {
    kind: 'admin-deletion',
    payload: DeletionPayload,
    permission: { propose: 'admins.control', approve: 'admins.control' },
    isNeeded: 'with-dual-control',
    targetOf: ({ userId }) => userId,
    titleOf: ({ name }) => `Deletion of the administrator ${name}`,
    linkOf: ({ userId }) => `/manage/admin/users/${userId}`,
    beneficiariesOf: ({ userId }) => [userId],
    readBefore: async (db, { userId }) => {
      const found = await findAdminTarget(db, userId)
      return found === null ? null : { name: found.name, status: found.status }
    },
    present: async ({ name }) => [
      { label: 'Administrator', type: 'text', before: name, after: null },
    ],
    execute: ({ trx, payload: { userId }, approvedBy: adminId, nowMs }) =>
      deleteAdmin(trx, deps, { userId, adminId, nowMs }),
    settle: () => syncApprovers(deps),
  }
}
