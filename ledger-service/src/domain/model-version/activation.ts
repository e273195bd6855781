import { refuse } from '../../log/model.ts'
import { createStateTable } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

/** The version of the rules in force. */
export const modelVersionTable = createStateTable('model_version', '', {
  version: 'int4',
  lastSeq: 'int8',
})

const FIRST_VERSION = 1

/** Returns the version of the rules in force. All rows of the table are in memory. */
export function findVersionInForce(view: View): number {
  return view.peek(modelVersionTable, '')?.version ?? FIRST_VERSION
}

/**
 * A version is activated only directly after the version before it, so that each event shows which
 * version decided it.
 */
export const activateModel: Decider<'ActivateModel'> = {
  needs: () => [],
  decide: ({ version }, view, context) => {
    const inForce = findVersionInForce(view)
    if (version !== inForce + 1) return refuse('modelNotNext', { version: String(inForce) })
    return record({ type: 'ModelActivated', data: { version } }, context)
  },
}

export const applyModelActivated: Evolve<'ModelActivated'> = ({ version }, view, { seq }) => {
  view.put(modelVersionTable, { version, lastSeq: seq })
}
