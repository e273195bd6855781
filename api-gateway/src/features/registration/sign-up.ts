import type { ParsedRequestOf, signUp } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createInvalidFieldFailure,
  createTooManyRequestsFailure,
} from '../../platform/http/failure.ts'
import { chooseLedger } from '../../platform/ledger-client/ledger-homes.ts'
import { findCountryCode } from '../countries/index.ts'
import { findPasswordWeakness, hashPassword } from '../passwords/index.ts'
import { createAccountId } from '../users/index.ts'
import { issueCode } from './email-codes.ts'

type Form = ParsedRequestOf<typeof signUp>['body']

/**
 * Creates the user and mails the first code. Returns the seconds until another code may be
 * requested.
 */
export async function registerUser(
  deps: Dependencies,
  form: Form,
  { pendingHash, nowMs }: { pendingHash: Buffer; nowMs: number },
): Promise<{ retryAfterSeconds: number }> {
  const country = findCountryCode(form.country)
  if (country === null) throw createInvalidFieldFailure('country', 'Choose a country')
  const { general, payment } = await deps.settings.read()
  const weakness = findPasswordWeakness(form.password, {
    context: [form.name, form.email, general.siteName],
    role: 'user',
    isMfaEnabled: false,
  })
  if (weakness !== null) throw createInvalidFieldFailure('password', weakness)

  const passwordHash = await hashPassword(form.password)
  const { blockedCountries } = payment
  return await deps.db.transaction().execute(async (trx) => {
    const userId = await writeUser(trx, { form, country, passwordHash, nowMs, blockedCountries })
    const code = await issueCode(trx, deps, { userId, pendingHash, nowMs, isSpaced: false })
    if (!code.isSent) throw createTooManyRequestsFailure(code.retryAfterSeconds)
    return { retryAfterSeconds: code.retryAfterSeconds }
  })
}

interface NewPerson {
  form: Form
  country: string
  passwordHash: string
  nowMs: number
  /** Countries whose users receive no referral bonuses. */
  blockedCountries: readonly string[]
}

/**
 * Stores the registration. If the address is registered but not verified, replaces that
 * registration and closes its code. Otherwise anyone could block an address by registering it.
 */
async function writeUser(trx: DatabaseTransaction, user: NewPerson): Promise<string> {
  const { form, nowMs } = user
  const now = new Date(nowMs)
  const referrerId = await findReferrer(trx, user)
  const ledger = await chooseLedger(trx, { referrerId, nowMs })
  const content = {
    ...toColumns(form),
    country: user.country,
    referrer_id: referrerId,
    ...(ledger === null ? {} : { ledger_id: ledger }),
    password_hash: user.passwordHash,
    password_changed_at: now,
    updated_at: now,
  }
  const row = await trx
    .insertInto('identity.user')
    .values({
      ...content,
      id: createId(nowMs),
      email: form.email,
      role: 'user',
      status: 'pending',
      account_id: createAccountId(),
      email_verified_at: null,
      activation_wanted_at: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet(content)
        .where('identity.user.email_verified_at', 'is', null)
        .where('identity.user.role', '=', 'user')
        .where('identity.user.status', '=', 'pending'),
    )
    .returning('id')
    .executeTakeFirst()
  if (row === undefined)
    throw createInvalidFieldFailure('email', 'This email address is already registered')
  return row.id
}

function toColumns(form: Form) {
  return {
    name: form.name,
    phone: form.phone,
    first_address: form.firstAddress,
    second_address: form.secondAddress,
    town_city: form.townCity,
    gender: form.gender,
    reason: form.reason,
    employment_status: form.employmentStatus,
    tax_residence: form.taxResidence,
    tax_number: form.taxNumber,
  }
}

/**
 * Returns the id of the referrer. Returns null for an unknown id and for the user's own id. Returns
 * null, too, if the user or the referrer is in a country without bonuses.
 */
async function findReferrer(
  trx: DatabaseTransaction,
  { form, country, blockedCountries }: NewPerson,
): Promise<string | null> {
  if (form.refid === null || blockedCountries.includes(country)) return null
  const row = await trx
    .selectFrom('identity.user')
    .select('id')
    .where('account_id', '=', form.refid.toUpperCase())
    .where('role', '=', 'user')
    .where('email', '!=', form.email)
    .select('country')
    .executeTakeFirst()
  if (row === undefined || blockedCountries.includes(row.country)) return null
  return row.id
}
