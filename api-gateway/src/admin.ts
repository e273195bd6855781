import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { newId } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { readAdminConfig } from './config.ts'
import { findCountryCode } from './countries/countries.ts'
import { type Database, openDatabase } from './database/database.ts'
import { hashPassword, weaknessOf } from './users/passwords.ts'
import { newAccountId } from './users/sign-up.ts'

const USAGE = `Usage:
  node api-gateway/src/admin.ts create --email <e-mail> --password <password> --name <name>
  node api-gateway/src/admin.ts import-users   (a JSON list, or JSON lines, on stdin; only with DEMO=1)`

const NewUser = z.strictObject({
  email: z.email().toLowerCase(),
  password: z.string().min(8).max(128),
  name: z.string().min(1).max(120),
  phone: z.string().default('+1 555 0100'),
  country: z.string().default('US'),
  firstAddress: z.string().default('1 Example Street'),
  townCity: z.string().nullable().default(null),
  gender: z.enum(['Male', 'Female']).nullable().default(null),
  /** The e-mail of who brought this user; must have been imported before. */
  referrer: z.email().toLowerCase().nullable().default(null),
  role: z.enum(['user', 'admin']).default('user'),
  createdAt: z.iso.datetime().optional(),
})

const config = readAdminConfig(process.env)
const db = openDatabase({
  url: config.databaseUrl,
  applicationName: 'cairn-admin',
  onError: () => {},
})
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await db.destroy()
}

async function run([command, ...rest]: readonly string[]): Promise<void> {
  if (command === 'create') return await createAdmin(rest)
  if (command === 'import-users') return await importUsers()
  throw new Error(USAGE)
}

/** Answers with the admin's id; an admin who is there already is left as he is. */
async function createAdmin(args: readonly string[]): Promise<void> {
  const option = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { email: option, password: option, name: option },
  })
  const { email, password, name } = values
  if (email === undefined || password === undefined || name === undefined) throw new Error(USAGE)
  const weakness = weaknessOf(password, [email, name])
  if (password.length < 8 || weakness !== null) {
    throw new Error(weakness ?? 'The password must be at least 8 characters')
  }
  const user = NewUser.parse({ email, password, name, role: 'admin' })
  print({ email: user.email, ...(await insertUser(db, user)) })
}

async function importUsers(): Promise<void> {
  if (!config.isDemo) throw new Error('import-users makes demo data and needs DEMO=1')
  const input = await text(process.stdin)
  const isList = input.trimStart().startsWith('[')
  const items: unknown[] = isList
    ? JSON.parse(input)
    : input
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line))
  const made: ImportedUser[] = []
  for (const item of items) {
    const user = NewUser.parse(item)
    made.push({ email: user.email, ...(await insertUser(db, user)) })
  }
  // The answer has the form of the question.
  if (isList) print(made)
  else for (const user of made) print(user)
}

interface ImportedUser {
  email: string
  id: string
  accountId: string
  isNew: boolean
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Repeatable: a user who is there already is answered with the id from the first time. */
async function insertUser(
  database: Database,
  user: z.infer<typeof NewUser>,
): Promise<Omit<ImportedUser, 'email'>> {
  const known = await findUser(database, user.email)
  if (known !== null) return { ...known, isNew: false }
  const country = findCountryCode(user.country)
  if (country === null) throw new Error(`${user.country} is not a country`)
  const referrer = user.referrer === null ? null : await findUser(database, user.referrer)
  const createdAtMs = user.createdAt === undefined ? Date.now() : Date.parse(user.createdAt)
  const now = new Date(createdAtMs)
  const id = newId(createdAtMs)
  const accountId = newAccountId()
  await database
    .insertInto('identity.user')
    .values({
      id,
      email: user.email,
      name: user.name,
      phone: user.phone,
      country,
      first_address: user.firstAddress,
      second_address: null,
      town_city: user.townCity,
      gender: user.gender,
      reason: null,
      employment_status: null,
      tax_residence: null,
      tax_number: null,
      role: user.role,
      status: 'active',
      account_id: accountId,
      referrer_id: referrer?.id ?? null,
      password_hash: await hashPassword(user.password),
      email_verified_at: now,
      activation_wanted_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { id, accountId, isNew: true }
}

async function findUser(
  database: Database,
  email: string,
): Promise<{ id: string; accountId: string } | null> {
  const row = await database
    .selectFrom('identity.user')
    .select(['id', 'account_id'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, accountId: row.account_id }
}
