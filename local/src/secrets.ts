import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const LOGIN_ROLES = [
  'cairn_migrator',
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_auditor',
  'cairn_backup',
] as const

export type LoginRole = (typeof LOGIN_ROLES)[number]

export interface Secrets {
  readonly superuser: string
  readonly serviceToken: string
  readonly session: string
  readonly passwords: Readonly<Record<LoginRole, string>>
}

/** Creates the secrets once and stores them in DATA_DIR/secrets, readable by the owner only. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const secret = (name: string) => readOrMake(join(folder, name))
  const pairs = LOGIN_ROLES.map(async (role) => [role, await secret(role)] as const)
  return {
    superuser: await secret('postgres'),
    serviceToken: await secret('service-token'),
    session: await secret('session'),
    // Built from LOGIN_ROLES, so it contains every role.
    passwords: Object.fromEntries(await Promise.all(pairs)) as Record<LoginRole, string>,
  }
}

async function readOrMake(file: string): Promise<string> {
  const fresh = randomBytes(32).toString('base64url')
  try {
    await writeFile(file, fresh, { flag: 'wx', mode: 0o600 })
    return fresh
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return (await readFile(file, 'utf8')).trim()
  }
}
