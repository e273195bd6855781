import type { PaymentMethod, PaymentOption, PayOption } from '@cairn/gateway-contracts'
import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, createNotFoundFailure } from '../../platform/http/failure.ts'
import { findAddressRefusal } from './crypto-address.ts'

const OPTIONS_MAX = 200

export type PaymentOptionRow = Selectable<Tables['platform.payment_option']>

/** Lists the payment options that are not archived, oldest first. */
export async function listPaymentOptionRows(
  db: Database,
  { isHiddenIncluded }: { isHiddenIncluded: boolean },
): Promise<readonly PaymentOptionRow[]> {
  let query = db
    .selectFrom('platform.payment_option')
    .selectAll()
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(OPTIONS_MAX)
  if (!isHiddenIncluded) query = query.where('is_visible', '=', true)
  return await query.execute()
}

const METHODS: Readonly<Record<PayOption, PaymentMethod>> = {
  'Bank Transfer': 'bank',
  'Mobile Wallet': 'mobile',
  'Crypto Wallet': 'crypto',
}

/** Lists the visible options whose method the settings allow, for investors. */
export async function listOfferedOptionRows(
  deps: Pick<Dependencies, 'db' | 'settings'>,
): Promise<readonly PaymentOptionRow[]> {
  const [{ payment }, rows] = await Promise.all([
    deps.settings.read(),
    listPaymentOptionRows(deps.db, { isHiddenIncluded: false }),
  ])
  return rows.filter(({ pay_option }) => payment.paymentMethods.includes(METHODS[pay_option]))
}

export const createOptionNotFoundFailure = () =>
  createNotFoundFailure('There is no such payment option')

export async function getPaymentOptionRow(db: Database, id: string): Promise<PaymentOptionRow> {
  const row = await db
    .selectFrom('platform.payment_option')
    .selectAll()
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw createOptionNotFoundFailure()
  return row
}

/**
 * Returns the payment option of a deposit: the requested option, or the only option that is offered
 * for the payment method. Returns null if several options are offered for this method, so that an
 * administrator must choose.
 */
export async function resolvePaymentOption(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  asked: { payOption: PayOption; paymentOptionId: string | undefined },
): Promise<string | null> {
  const options = await listOfferedOptionRows(deps)
  const fitting = options.filter(({ pay_option }) => pay_option === asked.payOption)
  if (asked.paymentOptionId !== undefined) {
    const named = fitting.find(({ id }) => id === asked.paymentOptionId)
    if (named === undefined)
      throw createInvalidFieldFailure('payment_option_id', 'Choose a payment method')
    return named.id
  }
  const [first] = fitting
  if (first === undefined) throw createInvalidFieldFailure('pay_option', 'Choose a payment method')
  return fitting.length === 1 ? first.id : null
}

/**
 * Returns the default option from which withdrawals are paid: the oldest visible option of the
 * method `Bank Transfer`; null if there is no such option.
 */
export async function findPayoutOption(db: Database): Promise<PaymentOptionRow | null> {
  const options = await listPaymentOptionRows(db, { isHiddenIncluded: false })
  return options.find(({ pay_option }) => pay_option === 'Bank Transfer') ?? null
}

/** Formats `First Bank (Bank Transfer)`, followed by `(deleted)` for an archived option. */
export function formatOptionName({
  bank,
  pay_option,
  archived_at,
}: Pick<PaymentOptionRow, 'bank' | 'pay_option' | 'archived_at'>): string {
  return `${bank} (${pay_option})${archived_at === null ? '' : ' (deleted)'}`
}

/** Throws if a crypto address is invalid, because coins sent to it would be lost. */
export function requireAddress(option: {
  payOption: PayOption
  bank: string
  accountNumber: string
}): void {
  if (option.payOption !== 'Crypto Wallet') return
  const refusal = findAddressRefusal(option.bank, option.accountNumber)
  if (refusal !== null) throw createInvalidFieldFailure('accountNumber', refusal)
}

export function toPaymentOption(row: PaymentOptionRow): PaymentOption {
  return {
    id: row.id,
    _id: row.id,
    payOption: row.pay_option,
    bank: row.bank,
    accountNumber: row.account_number,
    // The URL contains the file id, so that browsers load a replaced image again.
    image:
      row.image_id === null
        ? null
        : `/api/v1/paymentOptions/${row.id}/image?v=${row.image_id.slice(0, 8)}`,
    extra: row.extra,
    explorerUrl: row.explorer_url,
    displayStatus: row.is_visible,
    createdAt: row.created_at.toISOString(),
  }
}
