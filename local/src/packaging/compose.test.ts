import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../environment.ts'
import { createPackagedFolder } from './packaged-folder.ts'
import {
  findPort,
  listCalledUrls,
  listProblems,
  type PackagedProcess,
  type ProgramName,
} from './programs.ts'
import type { PackagedSecrets } from './secrets.ts'

const run = promisify(execFile)
const ONE = join(ROOT, 'docker-compose.yml')
const HA = join(ROOT, 'ops', 'compose.ha.yml')
const CITUS = join(ROOT, 'ops', 'compose.citus.yml')
const OWN_STOP_SECONDS = 5

const isInstalled = spawnSync('docker-compose', ['version']).error === undefined
if (!isInstalled && process.env.CI !== 'true') {
  console.warn('skipped: docker-compose is not installed (apt-get install docker-compose)')
}

const Service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  stop_grace_period: z.string().default('10s'),
})
type Service = z.infer<typeof Service>
const Compose = z.object({ services: z.record(z.string(), Service) })

let folder: string
let secrets: PackagedSecrets
beforeAll(async () => {
  const created = await createPackagedFolder('ledger-service')
  folder = created.folder
  secrets = created.secrets
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads the services of a file. Each variable has its default value. */
function readServices(file: string, change = (text: string) => text): Record<string, Service> {
  const text = change(readFileSync(file, 'utf8')).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
  return Compose.parse(parse(text, { merge: true })).services
}

const PROGRAMS: Readonly<Record<string, ProgramName>> = {
  'migrations ': 'migrate',
  'ledger-service ': 'ledger',
  'ledger-service src/cli.ts': 'ledger',
  'ledger-service src/work.ts': 'ledger-worker',
  'api-gateway ': 'gateway',
  'api-gateway src/work.ts': 'gateway-worker',
  'api-gateway src/admin.ts': 'admin',
}

/** Lists the files of the mounted folders: the path in the container, and a copy of the file. */
function listFiles(volumes: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    volumes.flatMap((volume) => {
      const [source = '', target = ''] = volume.split(':')
      if (source.startsWith('tls-')) {
        const names = source === 'tls-public' ? ['ca.crt'] : ['ca.crt', 'tls.crt', 'tls.key']
        return names.map((name) => [`${target}/${name}`, join(folder, name)] as const)
      }
      const process = basename(source)
      return Object.keys(secrets[process] ?? {}).map(
        (name) => [`${target}/${name}`, join(folder, process, name)] as const,
      )
    }),
  )
}

/** Returns the processes of the services that run a program of the platform. */
function listProcesses(services: Record<string, Service>): readonly PackagedProcess[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const { image, entrypoint, command, environment, volumes } = service
    const program = PROGRAMS[`${basename(image)} ${[...entrypoint, ...command].at(-1) ?? ''}`]
    if (program === undefined) return []
    const files = new Map(listFiles(volumes))
    const env = Object.entries(environment).map(([variable, given]) => {
      const value = String(given ?? '')
      // The client of the database reads the file of its authority, which is inside of a URL.
      const local = value.replace('sslrootcert=/tls/', `sslrootcert=${folder}/`)
      if (variable === 'LEDGER_SIGNING_KEY_FILE') files.set(local, join(folder, 'created-key'))
      return [variable, local] as const
    })
    return [{ name, program, env: Object.fromEntries(env), files }]
  })
}

/** Returns the value of a variable, or the content of the file that the variable names. */
function readSecret({ env, files }: PackagedProcess, variable: string): string {
  const file = files.get(env[`${variable}_FILE`] ?? '')
  return file === undefined ? (env[variable] ?? '') : readFileSync(file, 'utf8')
}

/** Returns the caller as which the ledger knows the commands of `npm run admin`. */
function findCallerOfAdmin(services: Record<string, Service>): string | undefined {
  const processes = listProcesses(services)
  const findProcess = (wanted: ProgramName) => {
    const found = processes.find(({ program }) => program === wanted)
    if (found === undefined) throw new Error(`no service runs ${wanted}`)
    return found
  }
  const Callers = z.record(z.string(), z.array(z.string()))
  const callers = Callers.parse(JSON.parse(readSecret(findProcess('ledger'), 'CALLER_TOKENS')))
  const token = readSecret(findProcess('admin'), 'SERVICE_TOKEN')
  return Object.keys(callers).find((name) => callers[name]?.includes(token))
}

/** Lists the calls to hosts that are no service, or to ports that the service does not open. */
function listLostCalls(processes: readonly PackagedProcess[]): readonly string[] {
  return processes.flatMap((from) =>
    listCalledUrls(from)
      .filter((url) => {
        const to = processes.find(({ name }) => name === url.hostname)
        return to === undefined || findPort(to) !== Number(url.port)
      })
      .map((url) => `${from.name} cannot call ${url.host}`),
  )
}

describe.each([
  ['docker-compose.yml', ONE, 7],
  ['ops/compose.ha.yml', HA, 10],
])('%s', (_name, file, count) => {
  test('gives each program the environment and the secrets that it needs', () => {
    const processes = listProcesses(readServices(file))
    expect(processes).toHaveLength(count)
    expect(processes.flatMap(listProblems)).toEqual([])
  })

  test('lets each process call only ports that a service opens', () => {
    const processes = listProcesses(readServices(file))
    expect(processes.flatMap(listCalledUrls).length).toBeGreaterThan(5)
    expect(listLostCalls(processes)).toEqual([])
  })

  test('issues a certificate for each name that a process calls', () => {
    const services = readServices(file)
    const issued = services.certificates?.command.slice(3) ?? []
    const called = listProcesses(services).flatMap(listCalledUrls)
    expect(issued).toEqual(expect.arrayContaining(called.map(({ hostname }) => hostname)))
  })

  test.each([
    ['a variable that is not read', 'SERVICE_TOKEN', 'TOKEN', 'does not read TOKEN'],
    ['an open port without a certificate', 'TLS_CERT_FILE:', 'X:', 'does not read X'],
    ['a call without TLS', 'https://ledger-service', 'http://ledger-service', 'LEDGER_URL'],
  ])('sabotaged twin: %s is reported', (_what, text, replacement, problem) => {
    const changed = readServices(file, (yaml) => yaml.replaceAll(text, replacement))
    expect(listProcesses(changed).flatMap(listProblems).join()).toContain(problem)
  })

  test.each([
    ['another port', 'LEDGER_PORT: "7000"', 'LEDGER_PORT: "7009"'],
    ['another host', 'https://gateway-worker:', 'https://gateway-workers:'],
  ])('sabotaged twin: a call to %s is reported', (_what, text, replacement) => {
    const changed = readServices(file, (yaml) => yaml.replaceAll(text, replacement))
    expect(listLostCalls(listProcesses(changed))).not.toEqual([])
  })
})

test.each([
  [ONE, 'SERVICE_TOKEN: *server-token', 'SERVICE_TOKEN: *gateway-token'],
  [HA, '/run/cairn/server/SERVICE_TOKEN', '/run/cairn/secrets/SERVICE_TOKEN'],
])('%s gives only npm run admin the right to change controls', (file, text, replacement) => {
  expect(findCallerOfAdmin(readServices(file))).toBe('server')
  // Sabotaged twin: with the credential of the gateway, `suspend` would leave an approver.
  const changed = readServices(file, (yaml) => yaml.replace(text, replacement))
  expect(findCallerOfAdmin(changed)).toBe('gateway')
})

/** Lists the services that may do more than their task needs. */
function listOpenServices(services: Record<string, Service>, names: readonly string[]) {
  return names.filter((name) => {
    const { read_only, cap_drop, security_opt } = services[name] ?? Service.parse({ image: '' })
    const isClosed = cap_drop.join() === 'ALL' && security_opt.join() === 'no-new-privileges:true'
    return !read_only || !isClosed
  })
}

test.each([ONE, HA])('%s gives no program of the platform rights that it does not need', (file) => {
  const services = readServices(file)
  const names = listProcesses(services).map(({ name }) => name)
  expect(listOpenServices(services, names)).toEqual([])
  const changed = readServices(file, (yaml) => yaml.replaceAll('read_only: true', 'x: 1'))
  expect(listOpenServices(changed, names)).toEqual(names)
})

test('ops/compose.citus.yml connects all its nodes', () => {
  const { nodes, ...others } = readServices(CITUS)
  expect(Object.keys(others)).toEqual(['coordinator', 'worker-1', 'worker-2'])
  for (const name of Object.keys(others)) {
    expect(nodes?.command.filter((word) => word.includes(`('${name}', 5432)`))).toHaveLength(1)
  }
})

test.skipIf(!isInstalled && process.env.CI !== 'true')(
  'ops/compose.citus.yml is valid for docker-compose',
  async () => {
    const { stdout } = await run('docker-compose', ['-f', CITUS, 'config', '--services'])
    expect(stdout.trim().split('\n')).toHaveLength(4)
  },
)

describe('ops/compose.ha.yml', () => {
  const services = Object.entries(readServices(HA))

  test('gives the other services no rights that they do not need either', () => {
    expect(listOpenServices(readServices(HA), ['certificates', 'proxy'])).toEqual([])
  })

  test('kills no program before it ends by itself', () => {
    const names = new Set(listProcesses(readServices(HA)).map(({ name }) => name))
    for (const name of ['migrate', 'ledger', 'admin']) names.delete(name)
    for (const [, service] of services.filter(([name]) => names.has(name))) {
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(2 * OWN_STOP_SECONDS)
    }
  })

  test.skipIf(!isInstalled && process.env.CI !== 'true')(
    'is valid for docker-compose',
    async () => {
      const options = ['--profile', 'commands', '-f', HA]
      const { stdout } = await run('docker-compose', [...options, 'config', '--services'])
      expect(stdout.trim().split('\n').toSorted()).toEqual(
        services.map(([name]) => name).toSorted(),
      )
    },
  )
})
