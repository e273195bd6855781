import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type ChangeDefinition, syncApprovers } from '../change-requests/index.ts'
import { findAdminTarget } from '../users/index.ts'
import { setAdminStatus, TARGETS } from './status.ts'

const StatusPayload = z.strictObject({
  userId: z.string(),
  name: z.string(),
  verb: z.enum(['approve', 'active', 'deactivate', 'deny']),
})
export type StatusPayload = z.infer<typeof StatusPayload>

/** The status of an administrator. */
export function createStatusChange(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'seal'>,
): ChangeDefinition<StatusPayload> {
  return {
    kind: 'admin-status',
    payload: StatusPayload,
    permission: { propose: 'admins.control', approve: 'admins.control' },
    isNeeded: 'with-dual-control',
    targetOf: ({ userId }) => userId,
    titleOf: ({ name, verb }) => `Status of the administrator ${name}: ${TARGETS[verb]}`,
    linkOf: ({ userId }) => `/manage/admin/users/${userId}`,
    beneficiariesOf: ({ userId }) => [userId],
    readBefore: async (db, { userId }) => (await findAdminTarget(db, userId))?.status ?? null,
    present: async ({ verb }, before) => [
      {
        label: 'Status',
        type: 'text',
        before: z.string().nullable().parse(before),
        after: TARGETS[verb],
      },
    ],
    execute: ({ trx, payload, approvedBy, nowMs }) =>
      setAdminStatus(trx, deps, { ...payload, adminId: approvedBy, nowMs }),
    settle: () => syncApprovers(deps),
  }
}
