import type { ScorecardRow } from './scorecard-rows.ts'

/** The rows of the scorecard about administrators and about the callers of the ledger. */
export const CONTROL_ROWS: readonly ScorecardRow[] = [
  {
    id: 'C1',
    name: 'random sequences of acts under dual control',
    bar: 'one administrator moves less than the threshold and weakens no control',
    file: 'ledger-service/test/dual-control.test.ts',
    title: 'dual control one administrator',
    control: { name: 'ten planted holes', title: 'dual control finds a planted hole' },
  },
  {
    id: 'C2',
    name: 'the credential of each caller of the ledger',
    bar: 'reaches its own commands and queries only',
    file: 'ledger-service/src/service/http/caller-rights.db.test.ts',
    title: 'each caller reaches',
    control: { name: 'any credential may submit', title: 'sabotaged twin: where any credential' },
  },
  {
    id: 'C3',
    name: 'the audit log changed by a superuser',
    bar: 'the first changed row is named',
    file: 'api-gateway/src/features/audit-log/chain.db.test.ts',
    title: 'the check of the chain names',
    control: { name: 'without seals', title: 'the check of the chain sabotaged twin' },
  },
  {
    id: 'C4',
    name: 'a privileged act whose attempt cannot be recorded',
    bar: 'does not happen',
    file: 'api-gateway/src/platform/http/audited-call.db.test.ts',
    title: 'a privileged act does not happen',
    control: { name: 'no attempt is recorded', title: 'a privileged act sabotaged twin' },
  },
  {
    id: 'C5',
    name: 'a site that requires a passkey of administrators',
    bar: 'a code opens no session',
    file: 'api-gateway/src/features/passkeys/required-passkey.db.test.ts',
    title: 'a site that requires a passkey of administrators accepts no code',
    control: {
      name: 'the passkey is not required',
      title: 'a site that requires a passkey of administrators sabotaged twin',
    },
  },
  {
    id: 'C6',
    name: 'sign-ups at several gateways',
    bar: 'share one limit',
    file: 'api-gateway/src/platform/http/shared-rate-limit.db.test.ts',
    title: 'sign-ups at several gateways count',
    control: { name: 'each process counts', title: 'sign-ups at several gateways sabotaged twin' },
  },
  {
    id: 'C7',
    name: 'random sequences of calls of one administrator to the real gateway and ledger',
    bar: 'less than the threshold moves in a day and no control is weaker',
    file: 'api-gateway/testing/one-admin/one-admin.db.test.ts',
    title: 'one administrator with a session',
    control: {
      name: 'six planted holes, each of which the property finds',
      title: 'the same property finds a planted hole',
    },
  },
  {
    id: 'C8',
    name: 'a rogue administrator with every role: money, controls, people and traces',
    bar: '0 of at least 34 attempts succeed alone, each is in the audit log',
    file: 'api-gateway/testing/attacks/one-admin-alone.db.test.ts',
    title: 'one administrator alone',
    control: {
      name: 'the gateway believes that one administrator is enough',
      title: 'sabotaged twin: where the gateway believes',
    },
  },
  {
    id: 'C9',
    name: "a thief with an investor's session",
    bar: '0 withdrawn, 0 credentials changed, 0 objects of others read; each try is recorded',
    file: 'api-gateway/testing/attacks/stolen-session.db.test.ts',
    title: "a thief with an investor's session",
    control: {
      name: 'the factor was used a moment ago',
      title: 'sabotaged twin: a session whose factor',
    },
  },
  {
    id: 'C10',
    name: "the gateway's credential used without the gateway: 30 commands in 7 names",
    bar: 'does exactly what the table in SECURITY.md says',
    file: 'api-gateway/testing/attacks/gateway-credential.db.test.ts',
    title: 'the table in SECURITY.md',
    control: {
      name: 'the credential of another process',
      title: 'sabotaged twin: the table is not true',
    },
  },
  {
    id: 'C11',
    name: 'two administrators in two browsers: each kind of change',
    bar: 'proposed by one at 390 px, compared by both, approved by the other at 1440 px',
    file: 'e2e/src/two-browsers.e2e.test.ts',
    title: 'each kind of change is proposed',
    control: {
      name: 'one administrator is enough',
      title: 'sabotaged twin: where one administrator is enough, the same act',
    },
  },
]
