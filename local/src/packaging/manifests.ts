import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

const Names = z.record(z.string(), z.string())
const Selector = z.object({
  matchLabels: Names.optional(),
  matchExpressions: z
    .array(z.object({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .optional(),
})
export type Selector = z.infer<typeof Selector>

const Container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string().optional() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  readinessProbe: z
    .object({
      httpGet: z.object({ path: z.string(), port: z.string(), scheme: z.string().default('HTTP') }),
    })
    .optional(),
  lifecycle: z
    .object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) })
    .optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
})

const Volume = z.object({
  name: z.string(),
  secret: z
    .object({
      secretName: z.string(),
      items: z.array(z.object({ key: z.string(), path: z.string() })).optional(),
    })
    .optional(),
  emptyDir: z.object({ sizeLimit: z.string() }).optional(),
})

/** The parts of a pod that a packaging of this repository must have, with the values they must have. */
export const PodSpec = z.object({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
  }),
  terminationGracePeriodSeconds: z.number().default(30),
  containers: z.tuple([Container]),
  volumes: z.array(Volume),
})
type PodSpec = z.infer<typeof PodSpec>

const Peer = z.object({
  podSelector: Selector.optional(),
  namespaceSelector: Selector.optional(),
  ipBlock: z.object({ cidr: z.string() }).optional(),
})
const Ports = z.array(z.object({ protocol: z.string(), port: z.number() }))
export const Policy = z.object({
  podSelector: Selector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(z.object({ from: z.array(Peer).optional(), ports: Ports })).default([]),
  egress: z.array(z.object({ to: z.array(Peer).optional(), ports: Ports })).default([]),
})
export type Policy = z.infer<typeof Policy>

export const Service = z.object({
  clusterIP: z.literal('None').optional(),
  selector: Names,
  ports: z.array(z.object({ port: z.number(), targetPort: z.number() })),
})

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: Names.optional() }),
})
export type Manifest = z.infer<typeof Manifest>

const Kustomization = z.looseObject({
  bases: z.array(z.string()).default([]),
  resources: z.array(z.string()),
})

export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => Manifest.parse(document.toJS()))
}

/** Reads the manifests of a kustomization and its bases, without its patches. */
export function readKustomization(folder: string): readonly Manifest[] {
  const text = readFileSync(join(folder, 'kustomization.yaml'), 'utf8')
  const { bases, resources } = Kustomization.parse(parse(text))
  return [
    ...bases.flatMap((base) => readKustomization(join(folder, base))),
    ...resources.flatMap((name) => parseManifests(readFileSync(join(folder, name), 'utf8'))),
  ]
}

export interface Pod {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly replicas: number
  readonly spec: PodSpec
  readonly container: z.infer<typeof Container>
}

const Workload = z.object({
  replicas: z.number().default(1),
  template: z.object({ metadata: z.object({ labels: Names }), spec: PodSpec }),
})

/** Returns the pods of the manifests. Throws if a pod may do more than this packaging permits. */
export function listPods(manifests: readonly Manifest[]): readonly Pod[] {
  return manifests.flatMap(({ kind, metadata, spec }): readonly Pod[] => {
    const { name, labels = {} } = metadata
    if (kind === 'Pod') {
      const pod = PodSpec.parse(spec)
      return [{ name, labels, replicas: 1, spec: pod, container: pod.containers[0] }]
    }
    if (!['Deployment', 'StatefulSet', 'Job'].includes(kind)) return []
    const { replicas, template } = Workload.parse(spec)
    const [container] = template.spec.containers
    return [{ name, labels: template.metadata.labels, replicas, spec: template.spec, container }]
  })
}

export function isSelected(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}

const listOf = <T>(
  manifests: readonly Manifest[],
  kind: string,
  schema: z.ZodType<T>,
): readonly (readonly [name: string, value: T])[] =>
  manifests
    .filter((manifest) => manifest.kind === kind)
    .map(({ metadata, spec }) => [metadata.name, schema.parse(spec)] as const)

export const listPolicies = (manifests: readonly Manifest[]) =>
  listOf(manifests, 'NetworkPolicy', Policy).map(([, policy]) => policy)
export const listServices = (manifests: readonly Manifest[]) =>
  listOf(manifests, 'Service', Service)

/** Returns the pods that answer at this host and port, with the port of their container. */
export function resolveUrl(
  manifests: readonly Manifest[],
  url: URL,
): { pod: Pod; port: number } | null {
  const [first = '', second] = url.hostname.split('.')
  const name = second ?? first
  const found = listServices(manifests).find(([service]) => service === name)?.[1]
  const port = found?.ports.find((it) => it.port === Number(url.port || 443))?.targetPort
  const pod = listPods(manifests).find(({ labels }) =>
    isSelected({ matchLabels: found?.selector ?? {} }, labels),
  )
  if (found === undefined || pod === undefined || port === undefined) return null
  // Each instance of a headless service has its own name.
  if (second !== undefined && found.clusterIP !== 'None') return null
  const isInstance = Array.from({ length: pod.replicas }, (_, n) => `${pod.name}-${n}`).includes(
    first,
  )
  return second === undefined || isInstance ? { pod, port } : null
}

type Peers = z.infer<typeof Peer>[] | undefined
const isPeer = (peers: Peers, labels: Readonly<Record<string, string>>) =>
  peers === undefined ||
  peers.some(
    ({ podSelector, namespaceSelector }) =>
      podSelector !== undefined &&
      namespaceSelector === undefined &&
      isSelected(podSelector, labels),
  )

/** True if the policies let the caller reach this port of the called pod. */
export function isReachable(
  policies: readonly Policy[],
  { from, to, port }: { from: Pod; to: Pod; port: number },
): boolean {
  const select = (pod: Pod) =>
    policies.filter(({ podSelector }) => isSelected(podSelector, pod.labels))
  const hasPort = (ports: z.infer<typeof Ports>) =>
    ports.some((it) => it.port === port && it.protocol === 'TCP')
  const leaves = select(from)
    .flatMap(({ egress }) => egress)
    .some((rule) => isPeer(rule.to, to.labels) && hasPort(rule.ports))
  const enters = select(to)
    .flatMap(({ ingress }) => ingress)
    .some((rule) => isPeer(rule.from, from.labels) && hasPort(rule.ports))
  return leaves && enters
}
