import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  ADMIN_CHANGE,
  type ChangeDefinition,
  syncApprovers,
  toTextLine,
} from '../change-requests/index.ts'
import { lockAdmin } from '../users/index.ts'
import { setAdminStatus, TARGETS } from './status.ts'

const StatusPayload = z.strictObject({
  userId: z.string(),
  name: z.string(),
  verb: z.enum(['approve', 'active', 'deactivate', 'deny']),
})
export type StatusPayload = z.infer<typeof StatusPayload>

/** Creates the definition of the change that sets the status of an administrator. */
export function createStatusChange(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'seal'>,
): ChangeDefinition<StatusPayload> {
  return {
    ...ADMIN_CHANGE,
    kind: 'admin-status',
    payload: StatusPayload,
    getTitle: ({ name, verb }) => `Status of the administrator ${name}: ${TARGETS[verb]}`,
    readBefore: async (db, { userId }) => (await lockAdmin(db, userId))?.status ?? null,
    describeChange: async ({ verb }, before) => [
      toTextLine('Status', { before: z.string().nullable().parse(before), after: TARGETS[verb] }),
    ],
    execute: ({ trx, payload, approvedBy, nowMs }) =>
      setAdminStatus(trx, deps, { ...payload, adminId: approvedBy, nowMs }),
    finishChange: () => syncApprovers(deps),
  }
}
