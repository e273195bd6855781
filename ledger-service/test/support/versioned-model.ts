import { createModel, RULES_VERSIONS } from '../../src/domain/model.ts'
import type { Model } from '../../src/log/model.ts'

/**
 * Returns a model that knows the versions of the rules up to `newest`. If the product lacks a
 * version, this version has the rules of the newest version of the product.
 */
export function createVersionedModel(newest: number): Model {
  const released = [...RULES_VERSIONS.values()].at(-1)
  if (released === undefined) throw new Error('there are no rules')
  const versions = Array.from({ length: newest }, (_, index) => {
    return [index + 1, RULES_VERSIONS.get(index + 1) ?? released] as const
  })
  return createModel(new Map(versions))
}
