import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile } from '@cairn/service-kit/durable-file'

export const LOGIN_ROLES = [
  'cairn_migrator',
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_auditor',
  'cairn_backup',
  'cairn_key_backup',
] as const

export type LoginRole = (typeof LOGIN_ROLES)[number]

/**
 * The processes that call other processes of the platform. Each of the callers has its own
 * credential.
 */
export const CALLERS = [
  'gateway',
  'gateway-worker',
  'ledger-worker',
  'server',
  'auditor',
  'metrics',
] as const
export type CallerName = (typeof CALLERS)[number]

type KeyName = 'OUTBOX_KEY_FILE' | 'SESSION_SECRET_FILE' | 'FACTOR_KEY_FILE'

export interface Secrets {
  readonly superuser: string
  /** The credential for calls between instances of the ledger. */
  readonly ledgerToken: string
  readonly callerTokens: Readonly<Record<CallerName, string>>
  /**
   * Files that contain one or two keys. `npm run admin -- rotate-key` replaces the keys in these
   * files.
   */
  readonly keyFiles: Readonly<Record<KeyName, string>>
  readonly passwords: Readonly<Record<LoginRole, string>>
}

/**
 * Returns the secrets in DATA_DIR/secrets. Creates missing secrets, which only the owner can read.
 */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const readSecret = (name: string) => readOrCreateSecret(join(folder, name))
  const pairs = await Promise.all(
    LOGIN_ROLES.map(async (role) => [role, await readSecret(role)] as const),
  )
  const tokens = await Promise.all(
    CALLERS.map(async (name) => [name, await readSecret(`token-${name}`)] as const),
  )
  return {
    superuser: await readSecret('postgres'),
    ledgerToken: await readSecret('token-ledger'),
    // The cast is safe because `tokens` contains all callers.
    callerTokens: Object.fromEntries(tokens) as Record<CallerName, string>,
    keyFiles: {
      OUTBOX_KEY_FILE: await createKeyFile(join(folder, 'outbox-key')),
      SESSION_SECRET_FILE: await createKeyFile(join(folder, 'session')),
      FACTOR_KEY_FILE: await createKeyFile(join(folder, 'factor-key')),
    },
    // The cast is safe because `pairs` contains all roles.
    passwords: Object.fromEntries(pairs) as Record<LoginRole, string>,
  }
}

async function createKeyFile(file: string): Promise<string> {
  await readOrCreateSecret(file)
  return file
}

async function readOrCreateSecret(file: string): Promise<string> {
  const fresh = randomBytes(32).toString('base64url')
  if (await createFile(file, fresh, 0o600)) return fresh
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret !== '') return secret
  throw new Error(
    `${file} is empty: copy it from the newest copy in BACKUP_DIR/secrets, or delete it if this ` +
      'platform has never started',
  )
}
