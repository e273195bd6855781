import { ADMIN_ROLES } from '@cairn/gateway-contracts'
import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type MoneyRules,
} from '@cairn/ledger-contracts'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import pg from 'pg'
import type { Dependencies } from '../../src/platform/dependencies.ts'
import type { Route } from '../../src/platform/http/registry.ts'
import { submitAll, toAgreedCommand } from '../agreed-command.ts'
import { makeApprovers } from '../dual-control.ts'
import { expectOk } from '../scene.ts'
import { setSettings } from '../test-browser.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../test-gateway.ts'
import { RULES, SECURITY, TERMS } from './baseline.ts'
import { type Controls, readControls } from './controls.ts'
import { addPeople, type Making, type Place } from './people.ts'

/**
 * A world has a gateway and a ledger with three administrators. Only the first administrator acts.
 */

const HOUR_MS = 3_600_000
const CENTURY_MS = 100 * 365 * 24 * HOUR_MS
/**
 * This time is longer than the 25 hours over which the ledger adds up the amounts that one
 * administrator moved alone.
 */
const BETWEEN_MS = 26 * HOUR_MS
/** An amount that is larger than the sum of the movements of all sequences. */
const STOCK = 10n ** 12n

/** The checks that a test disables, to show that the property then finds a violation. */
export interface Sabotage {
  ledgerHole?: string
  alterRoute?: (deps: Dependencies) => (route: Route) => Route
  alterDeps?: (deps: Dependencies) => Dependencies
}

export interface World {
  gateway: TestGateway
  admin: Visitor
  /** Administrators who never act. */
  colleagues: readonly [string, string]
  optionId: string
  planId: string
  /** The controls at the start of each sequence. */
  before: Controls
  /** Restores the controls, lets more than a day pass and adds people without a history. */
  beginRound(): Promise<Place>
  close(): Promise<void>
}

export async function openWorld(sabotage: Sabotage = {}): Promise<World> {
  const gateway = await startSabotagedWorld(sabotage)
  const addAdmin = () => {
    const roles = [...ADMIN_ROLES]
    return addUser(gateway, { role: 'admin', status: 'active', roles })
  }
  const admin = await openVisit(gateway, await addAdmin())
  const colleagues = [await addAdmin(), await addAdmin()] as const
  await makeApprovers(gateway, [admin.userId, ...colleagues])
  await addFactors(gateway, [admin.userId, ...colleagues])
  const by = [admin.userId, colleagues[0]]
  const createAgreedCommand = <Type extends CommandType>(type: Type, data: DataOf<Type>): Command =>
    toAgreedCommand(gateway, { type, data, by })
  const createWorldId = () => createId(gateway.deps.clock.now())
  const planId = createWorldId()
  const superuser = new pg.Client({ connectionString: gateway.databaseUrl })
  await superuser.connect()
  const world = { gateway, admin, colleagues, optionId: await addOption(gateway), planId }
  await restoreRules(world, by)
  await submitAll(gateway, [
    createAgreedCommand('FundReserve', {
      transactionId: createWorldId(),
      amountMinor: STOCK,
      note: null,
    }),
    createAgreedCommand('DefinePlan', { planId, terms: TERMS }),
  ])
  await setSettings(gateway, { security: SECURITY })
  await addFees({ gateway, createAgreedCommand, id: createWorldId })
  return {
    ...world,
    before: await readControls(gateway),
    beginRound: async () => {
      await gateway.moveAllClocks(BETWEEN_MS)
      await superuser.query(RESTORE)
      await renewPassword(gateway, admin)
      await setSettings(gateway, { security: SECURITY })
      await restoreRules(world, by)
      await submitAll(gateway, [createAgreedCommand('DefinePlan', { planId, terms: TERMS })])
      await expectAbleToAct(gateway, admin)
      return addPeople({ ...world, createAgreedCommand, id: createWorldId })
    },
    close: async () => {
      await superuser.end()
      await gateway.stop()
    },
  }
}

/**
 * Undoes the changes that one administrator may make alone. The first statement disables triggers,
 * because a trigger forbids the deletion of requests.
 */
const RESTORE = `
  set session_replication_role = replica;
  delete from platform.change_approval;
  delete from platform.change_request;
  delete from identity.outbox;
  update platform.payment_option set is_visible = true;`

/**
 * Sets the age of the administrator's password to zero, because a password expires after 90 days.
 * With an expired password, all calls of the next sequences would be refused, and the sequences
 * would test nothing.
 */
async function renewPassword({ db, deps }: TestGateway, { userId }: Visitor): Promise<void> {
  const password_changed_at = new Date(deps.clock.now())
  const users = db.updateTable('identity.user').set({ password_changed_at })
  await users.where('id', '=', userId).execute()
}

/**
 * Gives the administrators a second factor, because the settings require a recent use of a passkey.
 * The last use in the sessions is set far in the future, so that it counts as recent in every
 * sequence. The sessions also end far in the future, because the sequences can take several hours.
 */
export async function addFactors(
  { db, deps }: TestGateway,
  userIds: readonly string[],
): Promise<void> {
  const mfa_enabled_at = new Date(deps.clock.now())
  const users = db.updateTable('identity.user').set({ mfa_enabled_at })
  await users.where('id', 'in', userIds).execute()
  const usedAt = new Date(deps.clock.now() + CENTURY_MS)
  await db
    .updateTable('identity.session')
    .set({ mfa_at: usedAt, passkey_at: usedAt, expires_at: usedAt })
    .where('user_id', 'in', userIds)
    .execute()
}

/** Throws if the administrator cannot act, because then a sequence would prove nothing. */
async function expectAbleToAct(gateway: TestGateway, admin: Visitor): Promise<void> {
  await expectOk(send(gateway, admin, { method: 'GET', path: '/admin/dualControl' }))
}

/**
 * Starts a gateway with the sabotage. The gateway creates its dependencies before its routes, so
 * the dependencies are stored for `alterRoute`.
 */
async function startSabotagedWorld({ ledgerHole, alterRoute, alterDeps }: Sabotage) {
  let deps: Dependencies | null = null
  return startTestGateway({
    ledgerHole: ledgerHole ?? null,
    isDocumentedOnly: false,
    alterDeps: (made) => {
      deps = alterDeps?.(made) ?? made
      return deps
    },
    ...(alterRoute === undefined
      ? {}
      : {
          alterRoute: (route) => {
            if (deps === null) throw new Error('routes are created after the dependencies')
            return alterRoute(deps)(route)
          },
        }),
  })
}

async function addOption({ db, deps }: TestGateway): Promise<string> {
  const nowMs = deps.clock.now()
  const id = createId(nowMs)
  await db
    .insertInto('platform.payment_option')
    .values({
      id,
      pay_option: 'Bank Transfer',
      bank: 'Example Bank',
      account_number: '1',
      extra: null,
      explorer_url: null,
      is_visible: true,
      image_id: null,
      created_at: new Date(nowMs),
      archived_at: null,
    })
    .execute()
  return id
}

/** Approves a large deposit, so that an administrator can sweep its fee. */
async function addFees({
  gateway,
  createAgreedCommand,
  id,
}: Omit<Making, 'planId'>): Promise<void> {
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  const transactionId = id()
  const paymentOptionId = null
  await submitAll(gateway, [
    createAgreedCommand('RequestDeposit', {
      ...{ transactionId, investorId, amountMinor: STOCK, method: 'bank', paymentOptionId },
      ...{ receiptId: 'r', receiptSha256: 'a'.repeat(64) },
    }),
    createAgreedCommand('ApproveDeposit', { transactionId, paymentOptionId, approvedMinor: STOCK }),
  ])
}

async function restoreRules({ gateway }: Pick<World, 'gateway'>, by: readonly string[]) {
  const read = () => gateway.ledger.ask('rules', {})
  const { version: _version, ...rules } = (await readUntilAnswered(read)).rules
  // The cast is safe because the rules are a flat object with exactly these keys.
  const names = Object.keys(RULES) as (keyof MoneyRules)[]
  if (names.every((name) => rules[name] === RULES[name])) return
  await submitAll(gateway, [
    toAgreedCommand(gateway, { type: 'SetMoneyRules', data: { rules: RULES }, by }),
  ])
}
