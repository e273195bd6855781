import type { AdminRole, GrantedRole } from '@cairn/gateway-contracts'

export const ROLE_LABELS: Readonly<Record<AdminRole, string>> = {
  owner: 'Owner',
  finance: 'Finance',
  support: 'Support',
  compliance: 'Compliance',
  auditor: 'Auditor',
}

export const ROLE_HINTS: Readonly<Record<AdminRole, string>> = {
  owner: 'Has every permission',
  finance: 'Decides about money, plans and payment options',
  support: 'Views people and requests, answers messages, writes notes',
  compliance: 'Changes the status of people, resets credentials, approves claims',
  auditor: 'Reads the ledger, the audit log and exports, without contact data',
}

export function hasEnded({ endsAt }: Pick<GrantedRole, 'endsAt'>, nowMs: number): boolean {
  return endsAt !== null && Date.parse(endsAt) <= nowMs
}
