import { createHash } from 'node:crypto'
import {
  type Command,
  type CommandType,
  type DataOf,
  formatCanonicalRequest,
} from '@cairn/ledger-contracts'
import type { TestGateway } from './test-gateway.ts'

/** Returns a command that these administrators approve at the present time. */
export function toAgreedCommand<Type extends CommandType>(
  gateway: { deps: { clock: { now(): number } } },
  { type, data, by }: { type: Type; data: DataOf<Type>; by: readonly string[] },
): Command {
  const content = { type, data, effectiveAt: null }
  const approvedAt = new Date(gateway.deps.clock.now()).toISOString()
  const approvals = by.map((id) => ({ approver: `admin:${id}`, approvedAt }))
  const commandSha256 = createHash('sha256').update(formatCanonicalRequest(content)).digest('hex')
  const approval = { commandSha256, approvals }
  const actor = 'system:change-requests'
  // The cast is safe because type and data are given as a pair.
  return { ...content, actor, key: null, requestId: null, approval } as Command
}

/** Submits the commands. Throws unless the ledger recorded every command. */
export async function submitAll(gateway: TestGateway, commands: readonly Command[]): Promise<void> {
  const answers = await gateway.ledger.unrecorded.submitMany(commands, 'interactive')
  const failed = answers.find(({ outcome }) => outcome !== 'recorded')
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
}
