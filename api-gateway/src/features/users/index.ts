export { createAccountId } from './account-id.ts'
export { activateInvestor } from './activation.ts'
export { getActorId, toPersonField } from './actors.ts'
export {
  APPROVER_PERMISSION,
  isDualControlRequired,
  lockAdmin,
  readControls,
  requireAdminsLeft,
  requireMayControl,
} from './admins.ts'
export { createAdminRow, NO_PASSWORD } from './new-admin.ts'
export { presentUser, requirePresentableUser } from './present-user.ts'
export {
  buildReferralLink,
  findPersons,
  getUserRow,
  lockStatusAndName,
  lockUser,
  USER_COLUMNS,
  type UserRow,
} from './user.ts'
export {
  countInvestors,
  type InvestorCounts,
  isFound,
  type Searcher,
  searchUserIds,
} from './user-list.ts'
