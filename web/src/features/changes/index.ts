export { ChangeLines } from './change-lines.tsx'
export { ChangeReason, toReason } from './change-reason.tsx'
export {
  approvalQueries,
  type ChangeDetail,
  type ChangeFilter,
  type ChangeKind,
  type ChangeRequest,
  type ChangeState,
  getDualControlQuery,
  useApproveChange,
  useIsDualControl,
  useMoneyReasonHint,
  useRejectChange,
  useWithdrawChange,
} from './queries.ts'
export { WaitingChanges } from './waiting-changes.tsx'
