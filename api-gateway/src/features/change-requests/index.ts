// The exports for other features.
export { syncApprovers } from './approver-sync.ts'
export { CHANGE_ACTOR, toCommandApproval } from './command-approval.ts'
export type { ChangeDefinition, ChangeRegistry, Execution } from './definition.ts'
export {
  isChangeNeeded,
  type Proposal,
  type RequestDependencies,
  requestChange,
} from './request.ts'
