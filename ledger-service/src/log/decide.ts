import type { HashedCommand } from './entry.ts'
import type { Decision, Model } from './model.ts'
import type { View } from './view.ts'

/** Decides a command on the state in the view, for an event that is recorded at `recordedAtMs`. */
export function decideCommand(
  model: Model,
  { command, requestHash }: Pick<HashedCommand, 'command' | 'requestHash'>,
  view: View,
  recordedAtMs: number,
): Decision {
  const { actor, effectiveAt } = command
  const effectiveAtMs = effectiveAt === null ? recordedAtMs : Date.parse(effectiveAt)
  return model.decide(command, view, { actor, recordedAtMs, effectiveAtMs, requestHash })
}
