import { type Command, DualControlMode } from '@cairn/ledger-contracts'
import type { AdminConfig } from './platform/config.ts'
import { connectLedger } from './platform/ledger-client/connect.ts'

/**
 * The configuration that these commands need: the address of the ledger and the credential of the
 * server.
 */
export type LedgerConfig = Omit<AdminConfig, 'isDemo' | 'publicUrl' | 'keys' | 'objectStore'>

/** Connects to the ledger with the credential of the command line on the server. */
export function connectAsServer({ ledgerUrls: urls, ledger, serviceToken: token }: LedgerConfig) {
  if (urls.length === 0 || token === null) {
    throw new Error('Set LEDGER_URL and SERVICE_TOKEN: the ledger stores the controls')
  }
  return connectLedger({ urls, ledger, token })
}

export function readMode(given: string | undefined): DualControlMode {
  return DualControlMode.parse(given, { error: () => 'Set --mode single or --mode required' })
}

/** Sets the dual-control mode. The change needs no approval, even if it weakens the control. */
export function setDualControl(config: LedgerConfig, mode: DualControlMode): Promise<void> {
  return submitControlCommand(config, { type: 'SetDualControl', data: { mode } })
}

/** Makes an administrator an approver, without the approvals that the ledger otherwise requires. */
export function addApprover(config: LedgerConfig, approverId: string): Promise<void> {
  return submitControlCommand(config, { type: 'AddApprover', data: { approverId } })
}

type Control = Pick<Extract<Command, { type: 'SetDualControl' | 'AddApprover' }>, 'type' | 'data'>

async function submitControlCommand(config: LedgerConfig, control: Control): Promise<void> {
  const rest = { actor: 'system:server', key: null, requestId: 'cli', effectiveAt: null }
  // The cast is safe because `Control` pairs each type with its data.
  const answer = await connectAsServer(config).submit({ ...control, ...rest } as Command)
  if (answer.outcome !== 'recorded') throw new Error(answer.message)
}
