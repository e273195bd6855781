import { decodeRefusal } from '../../src/log/refusal-chain.ts'
import type { SimulatedDatabase } from './database.ts'
import { type DryRun, formatName } from './wishes.ts'

/** Checks that no command of a dry run left an event or a refusal. */
export function checkDryRuns(
  { events, refusals }: SimulatedDatabase,
  dryRuns: readonly DryRun[],
): readonly string[] {
  const actors = new Set([
    ...events.map(({ actor }) => actor),
    ...[...refusals.values()].map(({ bytes }) => decodeRefusal(bytes).command.actor),
  ])
  return dryRuns
    .flatMap(({ commands }) => commands)
    .filter(({ actor }) => actors.has(actor))
    .map((command) => `${formatName(command)}: recorded by a dry run`)
}
