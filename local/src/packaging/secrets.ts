import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALLERS, type CallerName, LOGIN_ROLES, type LoginRole } from '../secrets.ts'

const RESERVED_PREFIX = 'cairn_'

/** The secrets of an installation: for each process, the values of its variables. */
export type PackagedSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Creates all secrets of a new installation. `databaseUrl` names the database with an account that
 * may create roles. Throws if the account has the name of a role of the platform. With `hasSigningKey`, the secrets contain the signing key, which several ledger
 * services share; a single ledger service creates its own key.
 */
export function createSecrets(installation: {
  databaseUrl: string
  smtpUrl: string
  hasSigningKey: boolean
}): PackagedSecrets {
  const { databaseUrl, smtpUrl, hasSigningKey } = installation
  const { username } = new URL(databaseUrl)
  if (username.startsWith(RESERVED_PREFIX)) {
    throw new Error(
      `the account ${username} must have another name: verify reports each role that begins with ` +
        `${RESERVED_PREFIX} and is not created by the migrations`,
    )
  }
  // The casts are safe because each object is built from the list of its keys.
  const passwords = createEach(LOGIN_ROLES) as Record<LoginRole, string>
  const tokens = createEach(CALLERS) as Record<CallerName, string>
  const createUrl = (role: LoginRole) => replaceAccount(databaseUrl, role, passwords[role])
  const formatCallers = (names: readonly CallerName[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, [tokens[name]]])))
  const workerCallers = formatCallers(['gateway', 'gateway-worker', 'metrics'])
  const outbox = { OUTBOX_KEY: createSecret() }
  return {
    migrate: { DATABASE_URL: databaseUrl, ROLE_PASSWORDS: JSON.stringify(passwords) },
    ledger: {
      LEDGER_DATABASE_URL: createUrl('cairn_ledger'),
      SERVICE_TOKEN: createSecret(),
      CALLER_TOKENS: formatCallers(CALLERS),
      ...(hasSigningKey ? { LEDGER_SIGNING_KEY: createSigningKey() } : {}),
    },
    'ledger-worker': {
      LEDGER_WORKER_DATABASE_URL: createUrl('cairn_ledger_worker'),
      SERVICE_TOKEN: tokens['ledger-worker'],
      CALLER_TOKENS: workerCallers,
    },
    gateway: {
      ...outbox,
      GATEWAY_DATABASE_URL: createUrl('cairn_gateway'),
      SERVICE_TOKEN: tokens.gateway,
      CALLER_TOKENS: formatCallers(['metrics']),
      SESSION_SECRET: createSecret(),
      FACTOR_KEY: createSecret(),
    },
    'gateway-worker': {
      ...outbox,
      GATEWAY_WORKER_DATABASE_URL: createUrl('cairn_gateway_worker'),
      SERVICE_TOKEN: tokens['gateway-worker'],
      CALLER_TOKENS: workerCallers,
      SMTP_URL: smtpUrl,
    },
    server: { SERVICE_TOKEN: tokens.server },
    auditor: { SERVICE_TOKEN: tokens.auditor },
    metrics: { SERVICE_TOKEN: tokens.metrics },
  }
}

/**
 * Writes each secret into a file FOLDER/PROCESS/VARIABLE that only its owner can read. Throws if
 * one of the files exists, so that no secret of a running installation is replaced.
 */
export function writeSecrets(folder: string, secrets: PackagedSecrets): void {
  for (const [name, values] of Object.entries(secrets)) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
    for (const [variable, value] of Object.entries(values)) {
      writeFileSync(join(folder, name, variable), value, { flag: 'wx', mode: 0o600 })
    }
  }
}

function createEach(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, createSecret()]))
}

function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

function createSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function replaceAccount(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl)
  url.username = role
  url.password = password
  return url.href
}
