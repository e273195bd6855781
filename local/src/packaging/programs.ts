import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_VARIABLES } from '@cairn/service-kit/secret-files'
import * as gateway from '../../../api-gateway/src/platform/config.ts'
import * as ledger from '../../../ledger-service/src/service/config.ts'
import { ROOT } from '../environment.ts'

export type ProgramName =
  | 'migrate'
  | 'ledger'
  | 'ledger-worker'
  | 'gateway'
  | 'gateway-worker'
  | 'admin'

/** A process as a packaging describes it. */
export interface PackagedProcess {
  readonly name: string
  readonly program: ProgramName
  readonly env: Readonly<Record<string, string>>
  /** The files that the process can read: the path in the process, and a copy on this machine. */
  readonly files: ReadonlyMap<string, string>
}

interface Program {
  readonly variables: readonly string[]
  read(env: Record<string, string>): unknown
}

const MIGRATE_SOURCE = join(ROOT, 'migrations', 'src', 'main.ts')
/** The migrations have no schema of their environment: their variables are those in the program. */
const migrateVariables = [
  ...readFileSync(MIGRATE_SOURCE, 'utf8').matchAll(/environment\.([A-Z_]+)/g),
].map(([, name = '']) => name)

const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
  migrate: { variables: migrateVariables, read: () => {} },
  ledger: { variables: ledger.SERVE_VARIABLES, read: ledger.readServeConfig },
  'ledger-worker': { variables: ledger.WORK_VARIABLES, read: ledger.readWorkConfig },
  gateway: { variables: gateway.SERVE_VARIABLES, read: gateway.readServeConfig },
  'gateway-worker': { variables: gateway.WORK_VARIABLES, read: gateway.readWorkConfig },
  admin: { variables: gateway.ADMIN_VARIABLES, read: gateway.readAdminConfig },
}

/** Variables of Node.js that the programs do not read themselves. */
const NODE_VARIABLES = ['NODE_ENV', 'TMPDIR']

/** Returns the variables that have an effect on the program. */
export function listVariables(program: ProgramName): ReadonlySet<string> {
  const { variables } = PROGRAMS[program]
  const secrets = SECRET_VARIABLES.filter((name) => variables.includes(name))
  return new Set([...variables, ...secrets.map((name) => `${name}_FILE`), ...NODE_VARIABLES])
}

/**
 * Lists what would prevent the process from starting or would have no effect: variables that the
 * program does not read, files that are not there, and all that the program itself refuses.
 */
export function listProblems({ name, program, env, files }: PackagedProcess): readonly string[] {
  const known = listVariables(program)
  const unknown = Object.keys(env).filter((variable) => !known.has(variable))
  const missing = Object.entries(env).filter(
    ([variable, path]) => variable.endsWith('_FILE') && !files.has(path),
  )
  const problems = [
    ...unknown.map((variable) => `${name}: ${program} does not read ${variable}`),
    ...missing.map(([variable, path]) => `${name}: ${variable} names ${path}, which is missing`),
  ]
  if (problems.length > 0) return problems
  const local = Object.fromEntries(
    Object.entries(env).map(([variable, value]) => [variable, files.get(value) ?? value]),
  )
  try {
    PROGRAMS[program].read(local)
    return []
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const PORT_VARIABLES: Readonly<Record<ProgramName, string | null>> = {
  migrate: null,
  ledger: 'LEDGER_PORT',
  'ledger-worker': 'WORKER_PORT',
  gateway: 'PORT',
  'gateway-worker': 'WORKER_PORT',
  admin: null,
}

/** Returns the port that the process opens; null if it opens none. */
export function findPort({
  program,
  env,
}: Pick<PackagedProcess, 'program' | 'env'>): number | null {
  const variable = PORT_VARIABLES[program]
  return variable === null ? null : Number(env[variable])
}

/** Lists the URLs of other processes in the environment. */
export function listCalledUrls({ env }: Pick<PackagedProcess, 'env'>): readonly URL[] {
  const names = ['LEDGER_URL', 'WORKER_URLS', 'READY_URLS', 'LEDGER_ADDRESS', 'LEDGER_PEERS']
  return names.flatMap((name) =>
    (env[name] ?? '')
      .split(',')
      .filter((url) => url !== '')
      .map((url) => new URL(url)),
  )
}
