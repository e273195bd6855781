import {
  createPaymentOption,
  deletePaymentOption,
  editPaymentOption,
  exportPaymentOptions,
  getPaymentOptionImage,
  listPaymentOptions,
  type PaymentOption,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { notFound } from '../../platform/http/failure.ts'
import { type Columns, createCsvRoute, toSinglePage } from '../../platform/http/list-export.ts'
import {
  callerOf,
  createFileRoute,
  type Exchange,
  type Route,
  route,
} from '../../platform/http/registry.ts'
import { announceToAdmins } from '../notifications/index.ts'
import {
  getPaymentOptionRow,
  insertPaymentOption,
  listOfferedRows,
  listPaymentOptionRows,
  noSuchOption,
  requireAddress,
  toPaymentOption,
} from './payment-option.ts'
import { decideVisibility, optionChanged } from './visibility.ts'

/** A change of a payment destination requires a recent step-up. */
const CHANGE = { rate: 'write', owner: 'any', needsFreshFactor: true } as const

const COLUMNS: Columns<PaymentOption> = {
  Kind: ({ payOption }) => payOption,
  Bank: ({ bank }) => bank,
  'Account number': ({ accountNumber }) => accountNumber,
  Note: ({ extra }) => extra,
  'Explorer link': ({ explorerUrl }) => explorerUrl,
  Shown: ({ displayStatus }) => displayStatus,
  Added: ({ createdAt }) => createdAt,
}

export function createPaymentOptionRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'live' | 'settings'>,
  blobs: BlobStore,
): readonly Route[] {
  const storeImage = async (exchange: Exchange): Promise<string | null> => {
    if (exchange.file === null) return null
    const ownerId = callerOf(exchange).userId
    const { nowMs } = exchange
    const received = exchange.file.bytes
    return (await blobs.put({ ownerId, purpose: 'payment-option', received, nowMs })).id
  }
  return [
    route(
      listPaymentOptions,
      { rate: 'read', owner: 'any', audit: null },
      async (_request, exchange) => {
        const rows =
          callerOf(exchange).role === 'admin'
            ? await listPaymentOptionRows(deps.db, { isHiddenIncluded: true })
            : await listOfferedRows(deps)
        return { paymentOptions: rows.map(toPaymentOption) }
      },
    ),
    route(
      createPaymentOption,
      { ...CHANGE, audit: 'payment-option.create' },
      async ({ body }, exchange) => {
        requireAddress(body)
        const imageId = await storeImage(exchange)
        const { nowMs } = exchange
        const requested = {
          pay_option: body.payOption,
          bank: body.bank,
          account_number: body.accountNumber,
          extra: body.extra,
          image_id: imageId,
          is_visible: body.displayStatus,
        }
        const { userId } = callerOf(exchange)
        const change = { known: null, requested, asOf: undefined, userId, nowMs }
        const showing = await decideVisibility(deps, change)
        const row = await insertPaymentOption(deps.db, { ...body, showing, imageId, nowMs })
        exchange.note({ subject: row.id, ...body })
        await announce(deps, exchange, { name: row.bank, verb: 'added' })
        return { paymentOption: toPaymentOption(row) }
      },
    ),
    createCsvRoute({
      endpoint: exportPaymentOptions,
      fileName: 'payment-options.csv',
      audit: 'payment-option.export',
      columns: COLUMNS,
      readPage: async () => {
        const rows = await listPaymentOptionRows(deps.db, { isHiddenIncluded: true })
        return toSinglePage(rows.map(toPaymentOption))
      },
    }),
    createEditRoute(deps, storeImage),
    createDeleteRoute(deps),
    createFileRoute(
      getPaymentOptionImage,
      { rate: 'read', owner: 'any', audit: null },
      async ({ params }, exchange) => {
        const row = await getPaymentOptionRow(deps.db, params.id)
        const isShown = row.is_visible || callerOf(exchange).role === 'admin'
        if (!isShown) throw noSuchOption()
        const file = row.image_id === null ? null : await blobs.find(row.image_id)
        if (file === null) throw notFound('There is no such image')
        return { mediaType: file.mediaType, bytes: file.bytes, fileName: 'code' }
      },
    ),
  ]
}

function createEditRoute(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'live'>,
  storeImage: (exchange: Exchange) => Promise<string | null>,
): Route {
  return route(
    editPaymentOption,
    { ...CHANGE, audit: 'payment-option.edit' },
    async ({ params, body }, exchange) => {
      const known = await getPaymentOptionRow(deps.db, params.id)
      const target = {
        payOption: body.payOption ?? known.pay_option,
        bank: body.bank ?? known.bank,
        accountNumber: body.accountNumber ?? known.account_number,
      }
      requireAddress(target)
      const imageId = await storeImage(exchange)
      const destination = {
        pay_option: target.payOption,
        bank: target.bank,
        account_number: target.accountNumber,
        extra: body.extra === undefined ? known.extra : body.extra || null,
        is_visible: body.displayStatus ?? known.is_visible,
        image_id: imageId ?? known.image_id,
      }
      const { userId } = callerOf(exchange)
      const change = {
        known,
        requested: destination,
        asOf: body.asOf,
        userId,
        nowMs: exchange.nowMs,
      }
      const showing = await decideVisibility(deps, change)
      const row = await deps.db
        .updateTable('platform.payment_option')
        .set({
          ...destination,
          ...showing,
          explorer_url: body.explorerUrl === undefined ? known.explorer_url : body.explorerUrl,
        })
        .where('id', '=', params.id)
        // Fails if another change was made meanwhile, because the decision was about the previous
        // version.
        .where(sql<boolean>`changed_at is not distinct from ${known.changed_at}`)
        .where('account_number', '=', known.account_number)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) throw optionChanged()
      const before = { ...toPaymentOption(known), createdAt: undefined }
      exchange.note({ subject: row.id, before, after: body })
      await announce(deps, exchange, { name: row.bank, verb: 'changed' })
      return { paymentOption: toPaymentOption(row) }
    },
  )
}

function createDeleteRoute(deps: Pick<Dependencies, 'db' | 'live'>): Route {
  return route(
    deletePaymentOption,
    { ...CHANGE, audit: 'payment-option.delete' },
    async ({ params }, exchange) => {
      const { bank: name } = await getPaymentOptionRow(deps.db, params.id)
      await deps.db
        .updateTable('platform.payment_option')
        .set({ archived_at: new Date(exchange.nowMs), is_visible: false })
        .where('id', '=', params.id)
        .execute()
      exchange.note({ subject: params.id })
      await announce(deps, exchange, { name, verb: 'removed' })
      return null
    },
  )
}

/** Notifies all administrators of a changed payment destination. */
function announce(
  deps: Pick<Dependencies, 'db' | 'live'>,
  exchange: Exchange,
  { name, verb }: { name: string; verb: string },
): Promise<void> {
  return announceToAdmins(deps, {
    permission: 'paymentOptions.write',
    source: `request/${exchange.requestId}`,
    kind: 'security',
    title: `The payment option ${name} was ${verb}`,
    body: `By ${callerOf(exchange).name}, from ${exchange.ip}.`,
    link: '/manage/admin/payment_options',
    nowMs: exchange.nowMs,
  })
}
