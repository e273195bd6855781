import { type ChangeLine, PayOption } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import type { ChangeDefinition } from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import { createOptionNotFoundFailure, type PaymentOptionRow } from './payment-option.ts'

/** The fields of a payment option that an administrator can change. */
export const OptionValues = z.strictObject({
  payOption: PayOption,
  bank: z.string(),
  accountNumber: z.string(),
  extra: z.string().nullable(),
  explorerUrl: z.string().nullable(),
  displayStatus: z.boolean(),
  imageId: z.string().nullable(),
})
export type OptionValues = z.infer<typeof OptionValues>

/** The id of an option and its new values; null as `values` removes the option. */
const OptionPayload = z.strictObject({ id: z.string(), values: OptionValues.nullable() })
export type OptionPayload = z.infer<typeof OptionPayload>

const LABELS: Readonly<Record<Exclude<keyof OptionValues, 'imageId'>, string>> = {
  payOption: 'Kind',
  bank: 'Bank',
  accountNumber: 'Account number',
  extra: 'Note',
  explorerUrl: 'Explorer link',
  displayStatus: 'Shown',
}

export function createOptionChange(): ChangeDefinition<OptionPayload> {
  return {
    kind: 'payment-option',
    payload: OptionPayload,
    permission: { propose: 'paymentOptions.write', approve: 'paymentOptions.write' },
    isNeeded: 'with-dual-control',
    getTarget: ({ id }) => id,
    getTitle: ({ values }) =>
      values === null ? 'Removal of a payment option' : `Payment option ${values.bank}`,
    getLink: () => '/manage/admin/payment_options',
    listBeneficiaries: () => [],
    readBefore: (db, { id }) => readOptionValues(db, id),
    describeChange: async ({ values }, before) =>
      toLines(OptionValues.nullable().parse(before), values),
    getFiles: ({ values }, before) => ({
      before: OptionValues.nullable().parse(before)?.imageId ?? null,
      after: values?.imageId ?? null,
    }),
    execute: async ({ trx, payload, requestId, nowMs }) => {
      await writeOption(trx, payload, nowMs)
      await announceToAdmins(trx, {
        permission: 'paymentOptions.read',
        source: `change/${requestId}`,
        kind: 'security',
        title: 'A payment option was changed',
        body: 'Two administrators agreed on the change.',
        link: '/manage/admin/payment_options',
        nowMs,
      })
    },
  }
}

/** Returns the values of the option; null if the option does not exist. Locks its row. */
async function readOptionValues(db: Database, id: string): Promise<OptionValues | null> {
  const row = await db
    .selectFrom('platform.payment_option')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toOptionValues(row)
}

export function toOptionValues(row: PaymentOptionRow): OptionValues {
  return {
    payOption: row.pay_option,
    bank: row.bank,
    accountNumber: row.account_number,
    extra: row.extra,
    explorerUrl: row.explorer_url,
    displayStatus: row.is_visible,
    imageId: row.image_id,
  }
}

/**
 * Makes a change that needs no second administrator. Throws 409 if the option is no longer as the
 * caller compared it: a change that two administrators approved meanwhile would be undone.
 */
export async function changeOption(
  db: Database,
  { known, payload, nowMs }: { known: OptionValues | null; payload: OptionPayload; nowMs: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const stored = await readOptionValues(trx, payload.id)
    if (!areSame(stored, known)) throw createOptionChangedFailure()
    await writeOption(trx, payload, nowMs)
  })
}

/**
 * Hides the option and keeps its other values, also if they have changed since the caller read
 * them. Returns the values before.
 */
export async function hideOption(db: Database, id: string): Promise<OptionValues> {
  return await db.transaction().execute(async (trx) => {
    const stored = await readOptionValues(trx, id)
    if (stored === null) throw createOptionNotFoundFailure()
    await trx
      .updateTable('platform.payment_option')
      .set({ is_visible: false })
      .where('id', '=', id)
      .execute()
    return stored
  })
}

/** Returns the names of the values that differ. All values of a missing option differ. */
export function listChangedNames(
  known: OptionValues | null,
  values: OptionValues,
): readonly (keyof OptionValues)[] {
  // The cast is safe because the schema has exactly these keys.
  const names = Object.keys(values) as (keyof OptionValues)[]
  return names.filter((name) => known?.[name] !== values[name])
}

function areSame(stored: OptionValues | null, known: OptionValues | null): boolean {
  return stored === null ? known === null : listChangedNames(known, stored).length === 0
}

function createOptionChangedFailure(): HttpFailure {
  const message = 'This payment option has just been changed. Look at it again.'
  return new HttpFailure(409, 'OPTION_CHANGED', message)
}

/** Adds, changes or removes a payment option. */
async function writeOption(
  db: Database,
  { id, values }: OptionPayload,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs)
  if (values === null) {
    await db
      .updateTable('platform.payment_option')
      .set({ archived_at: now, is_visible: false })
      .where('id', '=', id)
      .execute()
    return
  }
  const columns = {
    pay_option: values.payOption,
    bank: values.bank,
    account_number: values.accountNumber,
    extra: values.extra,
    explorer_url: values.explorerUrl,
    is_visible: values.displayStatus,
    image_id: values.imageId,
  }
  await db
    .insertInto('platform.payment_option')
    .values({ id, ...columns, created_at: now, archived_at: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

function toLines(before: OptionValues | null, after: OptionValues | null): ChangeLine[] {
  const formatValue = (value: string | boolean | null | undefined) => {
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    return value ?? null
  }
  // The cast is safe because the object has exactly these keys.
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[]
  const lines = names.flatMap((name): ChangeLine[] => {
    const [old, fresh] = [before?.[name], after?.[name]]
    const isSame = old === fresh && before !== null && after !== null
    const line = { label: LABELS[name], type: 'text' as const }
    return isSame ? [] : [{ ...line, before: formatValue(old), after: formatValue(fresh) }]
  })
  const [oldImage, freshImage] = [before?.imageId ?? null, after?.imageId ?? null]
  if (oldImage === freshImage) return lines
  return [...lines, { label: 'Image', type: 'image', before: oldImage, after: freshImage }]
}
