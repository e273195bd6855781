import type { listApprovals, ResponseOf } from '@cairn/gateway-contracts'

export type ApprovalRow = ResponseOf<typeof listApprovals>['transactions'][number]
