// The exports for other features.
export type { ChangeDefinition, ChangeRegistry, Execution } from './definition.ts'
export {
  isChangeNeeded,
  type Proposal,
  type RequestDependencies,
  requestChange,
} from './request.ts'
