import type { TestGateway } from './test-gateway.ts'

const HOUR_MS = 3_600_000

/**
 * Makes these administrators approvers. Then moves the clocks ahead by more than a day, after which
 * the approvers may approve.
 */
export async function makeApprovers(
  gateway: TestGateway,
  userIds: readonly string[],
): Promise<void> {
  for (const approverId of userIds) await addApprover(gateway, approverId)
  await gateway.moveAllClocks(25 * HOUR_MS)
}

/** Makes an administrator an approver. With the second approver, dual control becomes required. */
export async function addApprover(gateway: TestGateway, approverId: string): Promise<void> {
  const answer = await gateway.ledger.unrecorded.submit({
    type: 'AddApprover',
    data: { approverId },
    actor: 'system:server',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  if (answer.outcome !== 'recorded') throw new Error(JSON.stringify(answer))
}

/**
 * Sets the mode in the same way as `npm run admin -- dual-control`, which runs in another process.
 */
export async function setDualControl(
  gateway: TestGateway,
  mode: 'single' | 'required',
): Promise<void> {
  await gateway.ledger.unrecorded.submit({
    type: 'SetDualControl',
    data: { mode },
    actor: 'system:server',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}

/**
 * Sets the approval threshold; `null` removes it. Only the command line on the server may raise the
 * threshold.
 */
export async function setThreshold(
  gateway: TestGateway,
  approvalThresholdMinor: bigint | null,
): Promise<void> {
  const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  await gateway.ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...rules, approvalThresholdMinor } },
    actor: 'system:server',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}
