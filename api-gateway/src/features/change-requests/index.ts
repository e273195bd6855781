export { ADMIN_CHANGE } from './admin-change.ts'
export { syncApprovers } from './approver-sync.ts'
export {
  type DescribedLine,
  describePerson,
  toMaskableLine,
  toMoneyLine,
  toPersonalLine,
  toTextLine,
  writeMaskable,
} from './change-lines.ts'
export { CHANGE_ACTOR, toCommandApproval } from './command-approval.ts'
export {
  type CommandPayload,
  createCommandChange,
  executeCommand,
  requireReason,
  type Sending,
  submitOrRequest,
} from './command-change.ts'
export { decideChange, toRefusalFailure } from './decide.ts'
export type { ChangeDefinition, ChangeRegistry, Execution } from './definition.ts'
export type { ExecuteDependencies } from './execute.ts'
export {
  isChangeNeeded,
  type Proposal,
  type RequestDependencies,
  requestChange,
  storeRequest,
} from './request.ts'
export { countOpenRequests, findOpenRequest, listWaitingTargets } from './store.ts'
