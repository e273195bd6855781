export {
  approvalQueries,
  type ChangeDetail,
  type ChangeFilter,
  type ChangeKind,
  type ChangeRequest,
  type ChangeState,
  useApproveChange,
  useRejectChange,
  useWithdrawChange,
} from './queries.ts'
export { WaitingChanges } from './waiting-changes.tsx'
