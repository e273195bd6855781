import type { ChangeDefinition } from './definition.ts'

/** The parts of a change definition that all changes to an administrator share. */
export const ADMIN_CHANGE = {
  permission: { propose: 'admins.control', approve: 'admins.control' },
  isNeeded: 'with-dual-control',
  getTarget: ({ userId }) => userId,
  getLink: ({ userId }) => `/manage/admin/users/${userId}`,
  listBeneficiaries: ({ userId }) => [userId],
} as const satisfies Partial<ChangeDefinition<{ userId: string }>>
