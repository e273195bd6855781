import { type ChangeLine, PayOption } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { ChangeDefinition } from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import type { PaymentOptionRow } from './payment-option.ts'

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

/** Adds, changes or removes a payment option. */
export async function writeOption(
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
