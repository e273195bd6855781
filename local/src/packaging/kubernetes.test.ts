import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../environment.ts'
import { listSchemaProblems } from './kubernetes-schema.ts'
import {
  isReachable,
  isSelected,
  listPods,
  listPolicies,
  type Manifest,
  type Pod,
  parseManifests,
  readKustomization,
  resolveUrl,
} from './manifests.ts'
import { createPackagedFolder } from './packaged-folder.ts'
import {
  findPort,
  listCalledUrls,
  listProblems,
  listVariables,
  type PackagedProcess,
  type ProgramName,
} from './programs.ts'
import type { PackagedSecrets } from './secrets.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'ops', 'kubernetes')
const OWN_STOP_SECONDS = 5
const base = readKustomization(join(FOLDER, 'base'))
const admin = parseManifests(readFileSync(join(FOLDER, 'admin.yaml'), 'utf8'))
const manifests = [...base, ...admin]
const pods = listPods(manifests)

const isInstalled = spawnSync('kubectl', ['version', '--client']).error === undefined
if (!isInstalled && process.env.CI !== 'true') {
  console.warn('skipped: kubectl is not installed (apt-get install kubernetes-client)')
}

let folder: string
let secrets: PackagedSecrets
beforeAll(async () => {
  const created = await createPackagedFolder('cairn-ledger')
  folder = created.folder
  secrets = created.secrets
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PROGRAMS: Readonly<Record<string, ProgramName>> = {
  'migrations ': 'migrate',
  'ledger-service src/serve.ts': 'ledger',
  'ledger-service src/work.ts': 'ledger-worker',
  'api-gateway src/serve.ts': 'gateway',
  'api-gateway src/work.ts': 'gateway-worker',
  'api-gateway 3600': 'admin',
}

function readSettings(): Readonly<Record<string, string>> {
  const found = manifests.find(({ kind }) => kind === 'ConfigMap')
  return z.record(z.string(), z.string()).parse(found?.data)
}

/** Lists the files of the mounted secrets: the path in the container, and a copy of the file. */
function listFiles({ container, spec }: Pod): ReadonlyMap<string, string> {
  return new Map(
    container.volumeMounts.flatMap(({ name, mountPath }) => {
      const secret = spec.volumes.find((volume) => volume.name === name)?.secret
      if (secret === undefined) return []
      const process = secret.secretName.replace('cairn-', '')
      const isTls = /-tls$|-ca$/.test(process)
      const all = isTls ? ['ca.crt', 'tls.crt', 'tls.key'] : Object.keys(secrets[process] ?? {})
      const keys = secret.items?.map(({ path }) => path) ?? all
      return keys.map(
        (key) => [`${mountPath}/${key}`, join(folder, isTls ? '' : process, key)] as const,
      )
    }),
  )
}

/** Describes the process of a pod. The program ignores settings that belong to other programs. */
function describeProcess(pod: Pod): PackagedProcess {
  const { container, name } = pod
  const image = basename(container.image).replace(/:.*/, '')
  const program = PROGRAMS[`${image} ${container.command.at(-1) ?? ''}`]
  if (program === undefined) throw new Error(`${name} runs an unknown program`)
  const known = listVariables(program)
  const shared = container.envFrom.length === 0 ? [] : Object.entries(readSettings())
  const own = container.env
    .filter(({ value }) => value !== undefined)
    .map((it) => [it.name, it.value?.replace('$(POD_NAME)', `${name}-0`) ?? ''] as const)
  const env = Object.fromEntries([...shared.filter(([key]) => known.has(key)), ...own])
  return { name, program, env, files: listFiles(pod) }
}

function findPod(name: string): Pod {
  const pod = pods.find((one) => one.name === name)
  if (pod === undefined) throw new Error(`there is no pod ${name}`)
  return pod
}

const replaceText = (list: readonly Manifest[], text: string, replacement: string) =>
  // The cast is safe because the text of a manifest is replaced by text of the same form.
  JSON.parse(JSON.stringify(list).replace(text, replacement)) as readonly Manifest[]

describe('each manifest', () => {
  const overlays = ['cloudnative-pg', 'cert-manager'].flatMap((name) =>
    readKustomization(join(FOLDER, name)),
  )

  test('has only fields of the schema of Kubernetes', () => {
    expect(manifests.length).toBeGreaterThan(20)
    expect([...overlays, ...admin].flatMap(listSchemaProblems)).toEqual([])
  })

  test.each([
    ['a misspelled field', '"readinessProbe"', '"readynessProbe"', 'unknown field'],
    ['a wrong type', '"replicas":2', '"replicas":"two"', '/spec/replicas'],
    ['an unknown kind', '"kind":"StatefulSet"', '"kind":"StatefullSet"', 'unknown kind'],
  ])('sabotaged twin: %s is reported', (_what, text, replacement, problem) => {
    const problems = replaceText(base, text, replacement).flatMap(listSchemaProblems)
    expect(problems.join()).toContain(problem)
  })

  test.each([
    ['a writable file system', '"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false'],
    ['a kept capability', '"drop":["ALL"]', '"drop":["NET_RAW"]'],
    ['a process of root', '"runAsNonRoot":true', '"runAsNonRoot":false'],
  ])('sabotaged twin: %s is reported', (_what, text, replacement) => {
    expect(() => listPods(replaceText(base, text, replacement))).toThrow()
  })
})

describe('each pod', () => {
  test('gives its program the environment and the secrets that it needs', () => {
    expect(pods.map(({ name }) => name).toSorted()).toEqual([
      'cairn-admin',
      'cairn-gateway',
      'cairn-gateway-worker',
      'cairn-ledger',
      'cairn-ledger-worker',
      'cairn-migrate',
    ])
    expect(pods.map(describeProcess).flatMap(listProblems)).toEqual([])
  })

  test('runs nothing but Node, because the images have no other program', () => {
    for (const { container, name } of pods) {
      const hook = container.lifecycle?.preStop.exec.command
      const commands = [container.command, hook ?? []].filter((words) => words.length > 0)
      expect(new Set(commands.map(([program]) => program)), name).toEqual(
        new Set(commands.length === 0 ? [] : ['node']),
      )
    }
  })

  test('reads each shared setting in at least one program', () => {
    const known = pods.flatMap((pod) => [...listVariables(describeProcess(pod).program)])
    expect(known).toEqual(expect.arrayContaining(Object.keys(readSettings())))
  })

  test.each([
    ['a misspelled variable', 'WORKER_URLS', 'WORKERS', 'does not read WORKERS'],
    ['a secret that is not mounted', 'cairn/secrets/FACTOR_KEY', 'FACTOR', 'which is missing'],
    ['a call without TLS', 'https://cairn-ledger-0', 'http://cairn-ledger-0', 'LEDGER_URL names'],
    ['a public address without TLS', 'https://cairn.example', 'http://x.example', 'PUBLIC_URL'],
  ])('sabotaged twin: %s is reported', (_what, text, replacement, problem) => {
    const { env, ...process } = describeProcess(findPod('cairn-gateway'))
    // The cast is safe because the replaced text is a name or a value.
    const changed = JSON.parse(JSON.stringify(env).replace(text, replacement)) as typeof env
    expect(listProblems({ ...process, env: changed }).join()).toContain(problem)
  })

  test('opens the port that its program listens on, and is probed there', () => {
    for (const pod of pods) {
      const process = describeProcess(pod)
      const { ports, readinessProbe } = pod.container
      const port = findPort(process)
      expect(ports.map(({ containerPort }) => containerPort)).toEqual(port === null ? [] : [port])
      if (port === null) continue
      expect(readinessProbe?.httpGet).toEqual({
        path: '/healthz',
        port: ports[0]?.name,
        scheme: process.env.TLS_CERT_FILE === undefined ? 'HTTP' : 'HTTPS',
      })
    }
  })

  test('is not killed before its program ends by itself', () => {
    for (const { container, spec, name } of pods.filter((pod) => pod.container.ports.length > 0)) {
      const waited = Number(container.lifecycle?.preStop.exec.command.at(-1) ?? 0)
      expect(spec.terminationGracePeriodSeconds, name).toBeGreaterThanOrEqual(
        waited + 2 * OWN_STOP_SECONDS,
      )
    }
  })
})

/** Lists the calls of all pods that reach no port, or that the policies refuse. */
function listRefusedCalls(list: readonly Manifest[]): readonly string[] {
  const policies = listPolicies(list)
  return listPods(list).flatMap((from) =>
    listCalledUrls(describeProcess(from)).flatMap((url) => {
      const called = resolveUrl(list, url)
      const problem = `${from.name} cannot call ${url.host}`
      if (called === null || findPort(describeProcess(called.pod)) !== called.port) return [problem]
      return isReachable(policies, { from, to: called.pod, port: called.port }) ? [] : [problem]
    }),
  )
}

describe('the network', () => {
  test('lets each process call the others as its environment names them', () => {
    expect(pods.flatMap((pod) => listCalledUrls(describeProcess(pod))).length).toBeGreaterThan(12)
    expect(listRefusedCalls(manifests)).toEqual([])
  })

  test.each([
    ['a policy for another port', '"port":7001}]}],"egress"', '"port":7009}]}],"egress"'],
    ['a caller that is not permitted', '"cairn-gateway-worker","cairn-admin"]', '"cairn-admin"]'],
    [
      'a service with another name',
      '"name":"cairn-ledger-worker"},"spec":{"selector"',
      '"name":"w"},"spec":{"selector"',
    ],
  ])('sabotaged twin: %s is reported', (_what, text, replacement) => {
    expect(JSON.stringify(manifests)).toContain(text)
    expect(listRefusedCalls(replaceText(manifests, text, replacement))).not.toEqual([])
  })

  test('names in each policy only ports that the selected pods open', () => {
    for (const { podSelector, ingress } of listPolicies(manifests)) {
      const opened = pods
        .filter(({ labels }) => isSelected(podSelector, labels))
        .flatMap(({ container }) => container.ports.map(({ containerPort }) => containerPort))
      const named = ingress.flatMap(({ ports }) => ports.map(({ port }) => port))
      expect(opened).toEqual(expect.arrayContaining(named))
    }
  })

  test('keeps the gateway from all that its processes do not call', () => {
    const [gateway, migrate] = [findPod('cairn-gateway'), findPod('cairn-migrate')]
    const policies = listPolicies(manifests)
    const to = findPod('cairn-ledger')
    expect(isReachable(policies, { from: gateway, to, port: 7000 })).toBe(true)
    expect(isReachable(policies, { from: migrate, to, port: 7000 })).toBe(false)
    expect(isReachable(policies, { from: to, to: gateway, port: 8080 })).toBe(false)
  })

  test('has a certificate for each name that a process calls over TLS', () => {
    const Certificate = z.object({ dnsNames: z.array(z.string()).default([]) })
    const names = readKustomization(join(FOLDER, 'cert-manager'))
      .filter(({ kind }) => kind === 'Certificate')
      .flatMap(({ spec }) => Certificate.parse(spec).dnsNames)
    const called = pods.flatMap((pod) => listCalledUrls(describeProcess(pod)))
    expect(names.toSorted()).toEqual(
      [...new Set(called.map(({ hostname }) => hostname))].toSorted(),
    )
  })
})

describe.skipIf(!isInstalled && process.env.CI !== 'true')('kubectl kustomize', () => {
  const render = async (name: string) => {
    const { stdout } = await run('kubectl', ['kustomize', join(FOLDER, name)], { maxBuffer: 1e7 })
    return parseManifests(stdout)
  }

  test('renders the base with its namespace and images', async () => {
    const rendered = await render('base')
    expect(rendered).toHaveLength(base.length)
    expect(rendered.flatMap(listSchemaProblems)).toEqual([])
    for (const { container } of listPods(rendered)) {
      expect(container.image).toMatch(/^registry\.example\/cairn\/[a-z-]+:0\.9\.0$/)
    }
  })

  test('renders the database servers with the durability that belongs to them', async () => {
    const rendered = await render('cloudnative-pg')
    const text = JSON.stringify(rendered)
    expect(text).toContain('"LEDGER_DURABILITY":"standby"')
    expect(text).toContain('"dataDurability":"required"')
    expect(text).not.toContain('0.0.0.0/0')
    expect(rendered.flatMap(listSchemaProblems)).toEqual([])
    expect(listRefusedCalls([...rendered, ...admin])).toEqual([])
  })
})
