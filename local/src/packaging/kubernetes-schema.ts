import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Pod, Service } from 'kubernetes-models/v1'
import type { Manifest } from './manifests.ts'

interface ModelClass {
  readonly apiVersion: string
  readonly kind: string
  readonly prototype: { validate(): void }
}

const MODELS: readonly ModelClass[] = [
  ConfigMap,
  Deployment,
  Job,
  Namespace,
  NetworkPolicy,
  Pod,
  PodDisruptionBudget,
  Service,
  StatefulSet,
]
/** Kinds of operators. Their schemas are not part of Kubernetes. */
const OTHER_GROUPS = ['postgresql.cnpg.io', 'cert-manager.io']

/**
 * Lists the fields of a manifest that contradict the schema of Kubernetes, and those that the
 * schema does not know. The schema accepts unknown fields, and Kubernetes ignores them, so a
 * misspelled field would have no effect.
 */
export function listSchemaProblems(manifest: Manifest): readonly string[] {
  const { apiVersion, kind, metadata } = manifest
  const name = `${kind} ${metadata.name}`
  if (OTHER_GROUPS.includes(apiVersion.split('/')[0] ?? '')) return []
  const model = MODELS.find((one) => one.apiVersion === apiVersion && one.kind === kind)
  if (model === undefined) return [`${name}: unknown kind in ${apiVersion}`]
  const unread = new Set<string>()
  listFields(manifest, '', unread)
  try {
    // An instance of the model would be a copy, whose fields are all read when it is made.
    model.prototype.validate.call(watchReads(manifest, '', unread))
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
  }
  return [...unread].map((field) => `${name}: unknown field ${field}`)
}

function listFields(value: object, path: string, fields: Set<string>): void {
  for (const [key, inner] of Object.entries(value)) {
    fields.add(`${path}/${key}`)
    if (typeof inner === 'object' && inner !== null) listFields(inner, `${path}/${key}`, fields)
  }
}

/** Returns the value. When a field is read, it is removed from the set: the schema knows it. */
function watchReads(value: object, path: string, unread: Set<string>): object {
  return new Proxy(value, {
    get: (target, key) => {
      const inner: unknown = Reflect.get(target, key)
      if (typeof key === 'symbol') return inner
      unread.delete(`${path}/${key}`)
      if (typeof inner !== 'object' || inner === null) return inner
      return watchReads(inner, `${path}/${key}`, unread)
    },
  })
}
