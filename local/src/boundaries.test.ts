import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM_PATH, ROOT } from './environment.ts'

const CONFIG = '.dependency-cruiser.cjs'
const FOLDERS = [
  'service-kit',
  'ledger-service',
  'api-gateway',
  'web',
  'migrations',
  'local',
  'e2e',
]

const RULES: readonly string[] = (await import(join(ROOT, CONFIG))).default.forbidden.map(
  (rule: { name: string }) => rule.name,
)

/**
 * An import that closes a cycle between two features, although no cycle between single modules
 * exists.
 */
const WAY_BACK = ['web/src/features/claims/card.ts', '../banks/index.ts'] as const

/** For each rule, a file whose imports violate it. */
const PLANTED: Readonly<Record<string, readonly [file: string, imports: string]>> = {
  'no-cycles': ['ledger-service/src/domain/plans/first.ts', './second.ts'],
  'ledger-contracts-import-zod-only': [
    'ledger-service/contracts/src/planted.ts',
    '@noble/hashes/sha2.js',
  ],
  'gateway-contracts-import-zod-and-ledger-contracts-only': [
    'api-gateway/contracts/src/planted.ts',
    '../../src/features/deposits/feature.ts',
  ],
  'web-knows-gateway-contracts-only': ['web/src/planted.tsx', '@cairn/ledger-contracts'],
  'web-shared-imports-shared-only': ['web/src/shared/planted.ts', '../features/plans/index.ts'],
  'web-features-import-no-app': ['web/src/features/deposits/planted.ts', '../../app/router.ts'],
  'web-features-meet-in-index': ['web/src/features/deposits/deep.ts', '../plans/queries.ts'],
  'web-features-import-one-way': ['web/src/features/banks/form.ts', '../claims/index.ts'],
  'services-meet-in-contracts': ['ledger-service/src/planted.ts', '@cairn/gateway-contracts'],
  'gateway-meets-ledger-in-contracts': [
    'api-gateway/src/planted.ts',
    '../../ledger-service/src/domain/plans/feature.ts',
  ],
  'service-kit-imports-no-workspace': [
    'service-kit/src/planted.ts',
    '../../ledger-service/src/domain/plans/feature.ts',
  ],
  'log-knows-no-rules': ['ledger-service/src/log/planted.ts', '../domain/plans/feature.ts'],
  'gateway-platform-imports-platform-only': [
    'api-gateway/src/platform/http/planted.ts',
    '../../features/deposits/feature.ts',
  ],
  'gateway-features-import-features-and-platform-only': [
    'api-gateway/src/features/plans/planted.ts',
    '../../routes.ts',
  ],
  'gateway-features-meet-in-their-index': [
    'api-gateway/src/features/plans/neighbour.ts',
    '../deposits/feature.ts',
  ],
  'domain-does-no-io': ['ledger-service/src/domain/deposits/planted.ts', 'node:fs'],
  'domain-imports-domain-and-log-only': [
    'ledger-service/src/domain/deposits/reading.ts',
    '../../queries/query.ts',
  ],
  'product-imports-no-test-support': [
    'ledger-service/src/queries/planted.ts',
    '../../test/support/scene.ts',
  ],
  'proofs-import-noble-only': ['ledger-service/contracts/src/proof/planted.ts', '../index.ts'],
  'opentelemetry-is-loaded-on-demand': ['service-kit/src/tracing/planted.ts', './otlp-tracer.ts'],
  'opentelemetry-only-in-its-tracer': ['service-kit/src/planted-span.ts', '@opentelemetry/api'],
  'nothing-unresolved': ['e2e/src/planted.ts', './nowhere.ts'],
}

/** The files that the violating files import. These files violate no rule themselves. */
const SOUND: Readonly<Record<string, string>> = {
  'ledger-service/src/domain/plans/second.ts': `import './first.ts'\n`,
  'ledger-service/src/domain/plans/feature.ts': 'export const feature = 1\n',
  'ledger-service/src/queries/query.ts': 'export const query = 1\n',
  'ledger-service/test/support/scene.ts': 'export const scene = 1\n',
  'api-gateway/src/features/deposits/feature.ts': `import '@cairn/ledger-contracts'\n`,
  'api-gateway/src/features/deposits/index.ts': `import './feature.ts'\n`,
  // A feature may import its own files, the index of another feature, and the platform.
  'api-gateway/src/features/plans/sound.ts': `import './own.ts'\nimport '../deposits/index.ts'\nimport '../../platform/clock.ts'\n`,
  'api-gateway/src/features/plans/own.ts': 'export const own = 1\n',
  'api-gateway/src/platform/clock.ts': 'export const clock = 1\n',
  'api-gateway/src/routes.ts': 'export const routes = 1\n',
  'ledger-service/contracts/src/index.ts': 'export const contract = 1\n',
  'ledger-service/contracts/src/proof/sound.ts': `import '@noble/hashes/sha2.js'\n`,
  'service-kit/src/tracing/otlp-tracer.ts': `import '@opentelemetry/api'\n`,
  'service-kit/src/tracing/start.ts': `export const load = () => import('./otlp-tracer.ts')\n`,
  'node_modules/@opentelemetry/api/package.json': '{ "exports": { ".": "./index.js" } }',
  'node_modules/@opentelemetry/api/index.js': 'export const trace = 1\n',
  'node_modules/@noble/hashes/package.json': '{ "exports": { "./sha2.js": "./sha2.js" } }',
  'node_modules/@noble/hashes/sha2.js': 'export const sha256 = 1\n',
  'api-gateway/contracts/src/index.ts': 'export const contract = 1\n',
  'web/src/app/router.ts': `import '../features/plans/queries.ts'\n`,
  'web/src/features/banks/index.ts': 'export const banks = 1\n',
  'web/src/features/claims/index.ts': 'export const claims = 1\n',
  'web/src/features/plans/index.ts': `import './queries.ts'\n`,
  'web/src/features/plans/queries.ts': 'export const plans = 1\n',
  'web/src/features/withdrawals/form.ts': `import '../plans/index.ts'\nimport '../../shared/query.ts'\n`,
  'web/src/shared/query.ts': 'export const query = 1\n',
  'migrations/src/main.ts': 'export const main = 1\n',
  'local/src/main.ts': 'export const main = 1\n',
}

interface Report {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { name: string } }[]
    readonly totalCruised: number
  }
}

let folder: string
let report: Report

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-boundaries-'))
  await copyFile(join(ROOT, CONFIG), join(folder, CONFIG))
  await copyFile(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  for (const [file, text] of Object.entries(SOUND)) await writePlantedFile(file, text)
  for (const [file, imports] of [...Object.values(PLANTED), WAY_BACK]) {
    await writePlantedFile(file, `import '${imports}'\n`)
  }
  await linkWorkspace('ledger-contracts', 'ledger-service/contracts')
  await linkWorkspace('gateway-contracts', 'api-gateway/contracts')
  report = await runDepcruise(folder)
})

afterAll(() => rm(folder, { recursive: true }))

describe('the import rules', () => {
  it('have one planted violation each', () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...RULES].sort())
  })

  it('are checked for every file', () => {
    const files = new Set([...Object.keys(SOUND), ...Object.values(PLANTED).map(([file]) => file)])
    expect(report.summary.totalCruised).toBeGreaterThanOrEqual(files.size)
  })

  it.each(Object.entries(PLANTED))('catch a file against %s', (rule, [file]) => {
    const reported = report.summary.violations.filter(({ from }) => isWithin(from, file))
    expect(reported.map((violation) => violation.rule.name)).toContain(rule)
  })

  it('accept files without a violation', () => {
    const planted = [...Object.values(PLANTED), WAY_BACK].map(([file]) => file)
    const others = report.summary.violations.filter(
      ({ from }) => !planted.some((file) => isWithin(from, file)),
    )
    expect(others.map(({ from }) => from)).toEqual([])
  })
})

/** True if the reported path is the file or one of its folders. */
function isWithin(reported: string, file: string): boolean {
  return reported === file || file.startsWith(`${reported}/`)
}

async function writePlantedFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), text)
}

async function linkWorkspace(name: string, workspace: string): Promise<void> {
  const exported = { exports: { '.': './src/index.ts' }, type: 'module', name: `@cairn/${name}` }
  await writePlantedFile(join(workspace, 'package.json'), JSON.stringify(exported))
  await mkdir(join(folder, 'node_modules', '@cairn'), { recursive: true })
  await symlink(join(folder, workspace), join(folder, 'node_modules', '@cairn', name))
}

async function runDepcruise(cwd: string): Promise<Report> {
  const program = join(ROOT, 'node_modules', '.bin', 'depcruise')
  const child = spawn(program, ['--config', CONFIG, '--output-type', 'json', ...FOLDERS], {
    cwd,
    env: { ...process.env, PATH: PROGRAM_PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(output)
}
