import { createVersionedModel } from '../support/versioned-model.ts'

const VERSIONS = 100

/** The model of the simulation, with more versions of the rules than a run activates. */
export const model = createVersionedModel(VERSIONS)
