import { parseArgs } from 'node:util'
import { type AuditAction, OWNER, parseAmount, RoleChoice } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { trustAuthorities } from '@cairn/service-kit/service-tls'
import { z } from 'zod'
import {
  addApprover,
  connectAsServer,
  type LedgerConfig,
  readMode,
  setDualControl,
} from './admin-controls.ts'
import { print, printLink, toMessage } from './admin-output.ts'
import { repeatErasures } from './features/closing/repeat-erasures.ts'
import { removeSecondFactors } from './features/mfa/mfa.ts'
import { issueLink, revokeLinks } from './features/passwords/link-tokens.ts'
import { resetAccountAttempts } from './features/passwords/login-attempts.ts'
import { requestHold } from './features/passwords/password-change.ts'
import { hasAdmin } from './features/passwords/password-reset.ts'
import { importUsers } from './features/registration/import-users.ts'
import { closeSessionsOf } from './features/sessions/sessions.ts'
import { setApprovalThreshold } from './features/settings/approval-threshold.ts'
import { suspendAdmin } from './features/user-status/suspend.ts'
import { createAdminRow, NO_PASSWORD } from './features/users/new-admin.ts'
import { grantRoles } from './platform/access/granted-roles.ts'
import { type AdminConfig, readAdminConfig } from './platform/config.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { createObjectStore } from './platform/files/object-store.ts'
import { ATTEMPTED, type AuditEntry, recordAudit } from './platform/http/audit.ts'
import { createKeyRing } from './platform/keys/key-ring.ts'
import { KEY_NAMES, resealKey, rotateKey } from './platform/keys/rotate-key.ts'
import { createOutboxSeal } from './platform/keys/seal.ts'
import { createSettings } from './platform/settings-store/site-settings.ts'
import { formatMoney } from './platform/site-format.ts'

const USAGE = `Usage: npm run admin -- <command>
  create --email <email> --name <name>   creates an administrator; prints the link for a password;
    [--role <role>]...                    role owner, or: finance, support, compliance, auditor
  setup-link [--email <email>]           prints a link; without --email for the first administrator
  reset-2fa --email <email>              removes the second factor and ends the sessions
  clear-allow-list                        allows administrators from every address
  unlock --email <email>                 resets the failed logins of this address
  suspend --email <email>                stops an administrator at once; all others receive an email
  add-approver --email <email>           lets an administrator approve, after 24 hours
  dual-control --mode single|required     sets whether a control needs one administrator or two
  repeat-erasures                         deletes again the deleted people whom a backup restored
  rotate-key session|factor|outbox        makes a new secret; the old secret stays valid for reading
  reseal-key factor|outbox                seals stored data with a secret that another tool replaced
  approval-threshold --amount <amount>    requires two administrators from this amount on
  approval-threshold --off                lets one administrator approve any amount
The links work once, within a day. import-users reads demo people from stdin and needs DEMO=1.`

const Email = z.email('--email needs an email address, like ada@example.com').toLowerCase()

const config = readAdminConfig(process.env)
trustAuthorities(config.authorities)
const db = openDatabase({
  url: config.databaseUrl,
  applicationName: 'cairn-admin',
  onError: () => {},
})
try {
  await runAdminCommand(config, process.argv.slice(2))
} catch (error) {
  console.error(error instanceof z.ZodError ? z.prettifyError(error) : toMessage(error))
  process.exitCode = 1
} finally {
  await db.destroy()
}

async function runAdminCommand(
  { isDemo, publicUrl, keys, objectStore, ...ledger }: AdminConfig,
  [command, ...args]: readonly string[],
): Promise<void> {
  const option = { type: 'string' } as const
  const flags = { off: { type: 'boolean' }, role: { type: 'string', multiple: true } } as const
  const options = { email: option, name: option, amount: option, mode: option, ...flags } as const
  const parse = () => parseArgs({ args: [...args], options }).values
  switch (command) {
    case 'create':
      return await createAdmin(parse(), publicUrl)
    case 'setup-link':
      return await createSetupLink(parse().email, publicUrl)
    case 'first-link':
      return (await hasAdmin(db)) ? undefined : await createSetupLink(undefined, publicUrl)
    case 'reset-2fa':
      return await resetFactor(Email.parse(parse().email))
    case 'clear-allow-list':
      return await clearAllowList()
    case 'unlock':
      return await resetFailedLogins(Email.parse(parse().email))
    case 'suspend':
      return await suspendAdminByEmail(ledger, keys, Email.parse(parse().email))
    case 'add-approver':
      return await makeApprover(ledger, Email.parse(parse().email))
    case 'dual-control':
      return await changeDualControl(ledger, parse().mode)
    case 'approval-threshold':
      // Loading the settings sets the currency of the printed amounts.
      await createSettings(db, { isDemo, publicUrl }).read()
      return await changeApprovalThreshold(ledger, parse())
    case 'repeat-erasures':
      return await eraseRestoredPeople(objectStore)
    case 'rotate-key':
      return await replaceKey(keys, args[0], rotateKey)
    case 'reseal-key':
      return await replaceKey(keys, args[0], resealKey)
    case 'import-users':
      return await importUsers(db, { isDemo })
    default:
      throw new Error(USAGE)
  }
}

async function createAdmin(
  given: { email?: string | undefined; name?: string | undefined; role?: string[] | undefined },
  publicUrl: string,
): Promise<void> {
  const email = Email.parse(given.email)
  const name = z.string('--name is missing').trim().min(1).max(120).parse(given.name)
  const roles = readRoles(given.role)
  if ((await findUser(email)) !== null) throw new Error(`${email} is already registered`)
  const nowMs = Date.now()
  const row = createAdminRow({ id: createId(nowMs), email, name, passwordHash: NO_PASSWORD, nowMs })
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('identity.user').values(row).execute()
    await grantRoles(trx, { userId: row.id, roles, grantedBy: null, nowMs })
    const { path } = await issueLink(trx, { purpose: 'setup', userId: row.id, nowMs })
    await recordAction(trx, 'cli.create-admin', row.id)
    printLink(publicUrl, path)
  })
}

function readRoles(names: readonly string[] | undefined): readonly RoleChoice[] {
  if (names === undefined) return OWNER
  const wanted = [...new Set(names)].map((name) => ({ role: name, endsAt: null }))
  return z.array(RoleChoice, 'Unknown role').parse(wanted)
}

async function createSetupLink(given: string | undefined, publicUrl: string): Promise<void> {
  const nowMs = Date.now()
  const user = given === undefined ? null : await revokeLinksOfAdmin(Email.parse(given))
  if (user === null && (await hasAdmin(db))) {
    throw new Error('There is already an administrator: name one with --email, or use create')
  }
  const userId = user?.id ?? null
  await db.transaction().execute(async (trx) => {
    await recordAction(trx, 'cli.setup-link', userId)
    const { path } = await issueLink(trx, { purpose: 'setup', userId, nowMs })
    printLink(publicUrl, path)
  })
}

async function resetFactor(email: string): Promise<void> {
  const { id, role } = await getUser(email)
  await db.transaction().execute(async (trx) => {
    await removeSecondFactors(trx, id)
    if (role === 'user') await requestHold(trx, { userId: id, nowMs: Date.now() })
    await closeSessionsOf(trx, id)
    await recordAction(trx, 'cli.reset-2fa', id)
  })
  print(`${email} can log in with the password alone and must then set up a second factor`)
}

async function clearAllowList(): Promise<void> {
  const row = await db
    .selectFrom('platform.setting')
    .select('content')
    .where('id', '=', 'site')
    .executeTakeFirst()
  const Kept = z.looseObject({ security: z.looseObject({}).optional() })
  const content = Kept.parse(row?.content ?? {})
  const cleared = { ...content, security: { ...content.security, ipWhitelist: [] } }
  await db.transaction().execute(async (trx) => {
    await recordAction(trx, 'cli.clear-allow-list', 'settings')
    await trx
      .updateTable('platform.setting')
      .set((set) => ({ content: JSON.stringify(cleared), version: set('version', '+', 1) }))
      .where('id', '=', 'site')
      .execute()
  })
  print('Administrators may log in from every address')
}

async function suspendAdminByEmail(
  config: LedgerConfig,
  keys: AdminConfig['keys'],
  email: string,
): Promise<void> {
  const { outbox } = keys
  if (outbox === null) throw new Error('Set OUTBOX_KEY: the command sends an email')
  const seal = createOutboxSeal(createKeyRing(outbox))
  const parts = { db, ledger: connectAsServer(config), seal }
  await suspendAdmin(parts, { email, nowMs: Date.now() })
  print(`${email} is suspended. A change needs as many administrators as before.`)
}

async function eraseRestoredPeople(store: AdminConfig['objectStore']): Promise<void> {
  const objects = store === null ? null : createObjectStore(store)
  const count = await repeatErasures({ db, objects }, Date.now())
  print(count === 0 ? 'No data of deleted people was found' : `People deleted again: ${count}`)
}

async function replaceKey(
  keys: AdminConfig['keys'],
  given: string | undefined,
  replace: typeof rotateKey,
): Promise<void> {
  const name = z.enum(KEY_NAMES, 'Name the key: session, factor or outbox').parse(given)
  await runAudited('cli.rotate-key', name, async () => {
    const count = await replace(db, { name, source: keys[name] })
    print(`${count} rows are now sealed with the new key, which new rows use too.`)
  })
}

async function changeDualControl(config: LedgerConfig, given: string | undefined): Promise<void> {
  const mode = readMode(given)
  await runAudited(`cli.dual-control-${mode}`, 'settings', () => setDualControl(config, mode))
  print(`Dual control: ${mode}`)
}

/**
 * Makes an administrator an approver. An administrator whom the command `create` added while dual
 * control was required becomes an approver only by this call.
 */
async function makeApprover(config: LedgerConfig, email: string): Promise<void> {
  const { id, role } = await getUser(email)
  if (role !== 'admin') throw new Error(`${email} is not an administrator`)
  await runAudited('cli.add-approver', id, () => addApprover(config, id))
  print(`${email} may approve changes 24 hours from now`)
}

async function changeApprovalThreshold(
  config: LedgerConfig,
  { amount, off }: { amount?: string | undefined; off?: boolean | undefined },
): Promise<void> {
  const amountMinor = amount === undefined ? null : parseAmount(amount)
  const isAmount = amountMinor !== null && amountMinor > 0n
  if (off === true ? amount !== undefined : !isAmount) {
    throw new Error('Set --amount to an amount above zero, like 1000.00, or use --off')
  }
  const ledger = connectAsServer(config)
  const before = await setApprovalThreshold({ db, ledger }, { amountMinor, nowMs: Date.now() })
  const formatThreshold = (minor: bigint | null) => (minor === null ? 'off' : formatMoney(minor))
  print(`Approval threshold: ${formatThreshold(amountMinor)} (before: ${formatThreshold(before)})`)
}

async function resetFailedLogins(email: string): Promise<void> {
  const userId = (await findUser(email))?.id ?? null
  await db.transaction().execute(async (trx) => {
    await recordAction(trx, 'cli.unlock', userId)
    await resetAccountAttempts(trx, { userId, email })
  })
  print(`The failed logins of ${email} are reset`)
}

async function getUser(email: string): Promise<{ id: string; role: 'user' | 'admin' }> {
  const user = await findUser(email)
  if (user === null) throw new Error(`No user is registered as ${email}`)
  return user
}

async function revokeLinksOfAdmin(email: string): Promise<{ id: string }> {
  const user = await getUser(email)
  if (user.role !== 'admin') throw new Error(`${email} is not an administrator`)
  await revokeLinks(db, user.id)
  return user
}

async function findUser(email: string): Promise<{ id: string; role: 'user' | 'admin' } | null> {
  const row = await db
    .selectFrom('identity.user')
    .select(['id', 'role'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ?? null
}

function recordAction(
  database: Database,
  action: AuditAction,
  subject: string | null,
  row: Pick<AuditEntry, 'result' | 'attemptId'> = {},
): Promise<string> {
  const entry = { actorId: null, action, subject, ip: 'server', requestId: 'cli', details: {} }
  return recordAudit(database, { ...entry, ...row }, Date.now())
}

/** Records the attempt before the change, and its result after the change. */
async function runAudited(
  action: AuditAction,
  subject: string,
  change: () => Promise<void>,
): Promise<void> {
  const attemptId = await recordAction(db, action, subject, { result: ATTEMPTED })
  await change()
  await recordAction(db, action, subject, { attemptId })
}
