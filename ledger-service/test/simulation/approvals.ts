import type { Command } from '@cairn/ledger-contracts'
import { hashRequest } from '../../src/log/envelope.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000
const OTHER_HASH = 'b'.repeat(64)
export const ADMINS = ['ada', 'grace', 'alan']

/**
 * Returns null, or approvals of this command. Some of the approvals are invalid: too old, from the
 * future, or with the hash of a different command.
 */
export function createApproval(
  command: Command,
  { random, clock }: Pick<World, 'random' | 'clock'>,
): Command['approval'] {
  const names = ADMINS.filter(() => random.drawChance(0.5))
  if (names.length === 0) return null
  const ageMs = random.pickInt(200 * HOUR_MS) - HOUR_MS
  const approvedAt = new Date(clock.now() - ageMs).toISOString()
  const { requestHash } = hashRequest(command)
  const commandSha256 = random.drawChance(0.05) ? OTHER_HASH : requestHash.toString('hex')
  return {
    commandSha256,
    approvals: names.map((name) => ({ approver: `admin:${name}`, approvedAt })),
  }
}
