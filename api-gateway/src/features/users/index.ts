export { createAccountId as newAccountId } from './account-id.ts'
export { activateRequested } from './activation.ts'
export { getActorId, toPersonField } from './actors.ts'
export {
  APPROVER_PERMISSION,
  isDualControlRequired,
  lockAdmin,
  readControls,
  requireAdminsLeft,
  requireControlOf,
} from './admins.ts'
export { createAdminRow as newAdminRow, NO_PASSWORD } from './new-admin.ts'
export { presentUser, requirePresentable } from './present-user.ts'
export {
  buildReferralLink,
  findPersons,
  getUserRow,
  lockUser,
  USER_COLUMNS,
  type UserRow,
} from './user.ts'
export { countInvestors, type InvestorCounts, searchUserIds } from './user-list.ts'
