import { randomBytes } from 'node:crypto'
import { type AdminRole, isGranted } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import type { Page } from 'playwright-core'
import { type ApiClient, logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { createReceiptPng } from './picture.ts'
import type { TestPlatform } from './platform.ts'
import { runAdminCommand } from './second-admin.ts'
import { LOGINS } from './site-pages.ts'

export interface Login {
  readonly email: string
  readonly password: string
}

export interface Person extends Login {
  readonly id: string
  readonly name: string
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function createAccountId(): string {
  return [...randomBytes(12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Copies a demo user under a new id and email, with the same password. */
async function copyUser(
  platform: TestPlatform,
  login: Login,
  copy: { name: string; country: string; status: 'pending' | 'active' },
): Promise<Person> {
  const id = createId(Date.now())
  const email = `${copy.name.toLowerCase().replace(/[^a-z]+/g, '.')}.${id.slice(-6)}@cairn.example`
  const changed: Record<string, string | null> = {
    ...copy,
    id,
    email,
    account_id: createAccountId(),
    photo_id: null,
    referrer_id: null,
    mfa_enabled_at: null,
  }
  await runSqlAsSuperuser(
    platform,
    `insert into identity.user
     select (jsonb_populate_record(original, '${JSON.stringify(changed)}')).*
     from identity.user as original where original.email = '${login.email}'`,
  )
  await runSqlAsSuperuser(
    platform,
    `insert into identity.admin_role (user_id, role, granted_at)
     select '${id}', held.role, held.granted_at from identity.admin_role as held
     join identity.user as original on original.id = held.user_id
     where original.email = '${login.email}'`,
  )
  return { id, email, name: copy.name, password: login.password }
}

/** Adds an investor who waits for an approval. */
export function addPendingInvestor(platform: TestPlatform, name: string): Promise<Person> {
  return copyUser(platform, LOGINS.investor, { name, country: 'US', status: 'pending' })
}

/** Adds an active investor. By default, the investor has a bank account and an approved deposit. */
export async function addInvestor(
  platform: TestPlatform,
  options: { name?: string; country?: string; balance?: number; hasBank?: boolean } = {},
): Promise<Person> {
  const { name = 'Iris Example', country = 'US', balance = 1_000, hasBank = true } = options
  const person = await copyUser(platform, LOGINS.investor, { name, country, status: 'pending' })
  const admin = await openAdminApi(platform)
  await requireSuccess(admin.send('PATCH', `users/${person.id}/status`, { status: 'active' }))
  if (balance === 0 && !hasBank) return person
  const api = await logInAs(platform.url, person.email, person.password)
  if (hasBank) {
    const bank = { bankName: 'First Harbor Bank', accountNumber: '10203040', accountName: name }
    await requireSuccess(api.send('POST', 'users/me/banks', { ...bank, accountType: 'Others' }))
  }
  if (balance > 0) {
    const { id } = await requestDeposit(platform, person, String(balance))
    await requireSuccess(admin.send('PATCH', `transactions/${id}/action/approve`))
  }
  return person
}

/** Adds an active administrator without a second factor. The role is owner by default. */
export async function addAdmin(
  platform: TestPlatform,
  { name = 'Alma Keeper', role = 'owner' }: { name?: string; role?: AdminRole } = {},
): Promise<Person> {
  const person = await copyUser(platform, LOGINS.admin, { name, country: 'US', status: 'active' })
  await runSqlAsSuperuser(
    platform,
    `update identity.admin_role set role = '${role}' where user_id = '${person.id}'`,
  )
  // The ledger accepts decisions only from approvers.
  if (isGranted(role, 'transactions.decide')) {
    const added = runAdminCommand(platform, ['add-approver', '--email', person.email])
    await added.catch((error: unknown) => {
      // The gateway also has a job that adds approvers. The job can have added this approver before
      // this call.
      if (!String(error).includes('is an approver already')) throw error
    })
  }
  return person
}

/** Requests a deposit through the API. The deposit stays pending. */
export async function requestDeposit(
  platform: TestPlatform,
  { email, password }: Login,
  amount: string,
): Promise<{ id: string; reference: string }> {
  const api = await logInAs(platform.url, email, password)
  const form = new FormData()
  form.set('type', 'deposit')
  form.set('amount', amount)
  form.set('pay_option', 'Bank Transfer')
  form.set('receipt', createReceiptPng(), 'receipt.png')
  return (await requireSuccess(api.send('POST', 'users/me/transactions', form))).transaction
}

/** Requests a withdrawal through the API, to the first bank account. It stays pending. */
export async function requestWithdrawal(
  platform: TestPlatform,
  { email, password }: Login,
  { wallet, amount }: { wallet: string; amount: number },
): Promise<{ id: string; reference: string }> {
  const api = await logInAs(platform.url, email, password)
  const [bank] = (await requireSuccess(api.get('users/me/banks'))).accounts
  const form = { type: 'withdrawal', amount, pay_option: wallet, bank_id: bank.id }
  return (await requireSuccess(api.send('POST', 'users/me/transactions', form))).transaction
}

/**
 * Logs the demo administrator in again, because moving the clock ends the sessions that are open.
 */
export function openAdminApi(platform: TestPlatform): Promise<ApiClient> {
  return logInAs(platform.url, LOGINS.admin.email, LOGINS.admin.password)
}

/** Logs the window in without the login form, because the form would be slower. */
export async function signIn(page: Page, platform: TestPlatform, login: Login): Promise<void> {
  const api = await logInAs(platform.url, login.email, login.password)
  const { user, permissions } = (await api.get('users/me')).body.data
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, url: platform.url }))
  await page.context().addCookies(cookies)
  // Stores the user as the login page does. The script runs in each new document, but stores the
  // user only once per session, so that it does not undo a logout.
  await page.addInitScript(
    ([marker, stored]) => {
      // Frames with mail previews cannot use localStorage.
      if (window.self !== window.top) return
      if (localStorage.getItem('test.signed-in') === marker) return
      localStorage.setItem('test.signed-in', marker)
      localStorage.setItem('cairn.user', stored)
    },
    [api.cookies.get('sid') ?? '', JSON.stringify({ ...toStoredUser(user), permissions })] as const,
  )
}

function toStoredUser(user: { name: string; role: string; photo: string; country: string }) {
  const { name, role, photo, country } = user
  return { name, role, photo: photo ?? 'default.png', country: country ?? null }
}

async function requireSuccess(answering: ReturnType<ApiClient['get']>) {
  const { status, body } = await answering
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data ?? {}
}
