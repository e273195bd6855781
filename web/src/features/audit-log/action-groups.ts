import type { AuditAction } from '@cairn/gateway-contracts'
import { describeAction } from './describe-entry.ts'

type Prefix = AuditAction extends `${infer First}.${string}` ? First : never

const GROUPS = ['Money', 'Approvals', 'Users and logins', 'Site', 'Ledger and system'] as const
type Group = (typeof GROUPS)[number]

/** The group of each first part of an action. A new first part does not compile without a group. */
const GROUP_OF: Record<Prefix, Group> = {
  access: 'Users and logins',
  adjustment: 'Money',
  announcement: 'Site',
  approval: 'Approvals',
  attestation: 'Site',
  audit: 'Ledger and system',
  'bank-account': 'Money',
  'bank-line': 'Money',
  'bank-statement': 'Money',
  change: 'Approvals',
  claim: 'Site',
  cli: 'Ledger and system',
  contact: 'Site',
  endorsement: 'Site',
  faq: 'Site',
  investment: 'Money',
  jobs: 'Ledger and system',
  ledger: 'Ledger and system',
  mfa: 'Users and logins',
  passkey: 'Users and logins',
  'payment-option': 'Site',
  plan: 'Site',
  preferences: 'Users and logins',
  referral: 'Users and logins',
  reserve: 'Money',
  session: 'Users and logins',
  settings: 'Site',
  template: 'Site',
  transaction: 'Money',
  user: 'Users and logins',
  wallet: 'Money',
}

type ActionGroup = { title: Group; options: ReadonlyArray<readonly [action: string, name: string]> }

/** Lists the actions in groups. Each action has its name, and a group is sorted by name. */
export function groupActions(actions: readonly string[]): readonly ActionGroup[] {
  const known = [...new Set(actions)].filter(Boolean)
  return GROUPS.map((title) => ({
    title,
    options: known
      .filter((action) => findGroup(action) === title)
      .map((action) => [action, describeAction(action)] as const)
      .toSorted(([, left], [, right]) => left.localeCompare(right)),
  })).filter(({ options }) => options.length > 0)
}

/** An action that only another version of the gateway knows is in the last group. */
function findGroup(action: string): Group {
  const groups: Readonly<Record<string, Group>> = GROUP_OF
  return groups[action.split('.')[0] ?? ''] ?? 'Ledger and system'
}
