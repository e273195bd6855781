import {
  createPaymentOption,
  deletePaymentOption,
  editPaymentOption,
  exportPaymentOptions,
  getPaymentOptionImage,
  listPaymentOptions,
  type PaymentOption,
} from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createCsvRoute, toSinglePage } from '../../platform/http/list-export.ts'
import {
  createFileRoute,
  declareRoute,
  type Exchange,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import {
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
} from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import {
  changeOption,
  createOptionChange,
  hideOption,
  listChangedNames,
  type OptionPayload,
  type OptionValues,
  toOptionValues,
} from './option-change.ts'
import {
  createOptionNotFoundFailure,
  getPaymentOptionRow,
  listOfferedOptionRows,
  listPaymentOptionRows,
  requireAddress,
  toPaymentOption,
} from './payment-option.ts'

type OptionDependencies = RequestDependencies & Pick<Dependencies, 'settings'>

/**
 * The settings of the routes that change a payment destination. These routes require a recent
 * step-up.
 */
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
  deps: OptionDependencies,
  blobs: BlobStore,
): readonly Route[] {
  const storeImage = async (exchange: Exchange): Promise<string | null> => {
    if (exchange.file === null) return null
    const ownerId = getCaller(exchange).userId
    const { nowMs } = exchange
    const received = exchange.file.bytes
    return (await blobs.put({ ownerId, purpose: 'payment-option', received, nowMs })).id
  }
  return [
    declareRoute(
      listPaymentOptions,
      { rate: 'read', owner: 'any', audit: null },
      async (_request, exchange) => {
        const rows =
          getCaller(exchange).role === 'admin'
            ? await listPaymentOptionRows(deps.db, { isHiddenIncluded: true })
            : await listOfferedOptionRows(deps)
        return { paymentOptions: rows.map(toPaymentOption) }
      },
    ),
    createAddRoute(deps, storeImage),
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
        const isShown = row.is_visible || getCaller(exchange).role === 'admin'
        if (!isShown) throw createOptionNotFoundFailure()
        const file = row.image_id === null ? null : await blobs.find(row.image_id)
        if (file === null) throw createNotFoundFailure('There is no such image')
        return { mediaType: file.mediaType, bytes: file.bytes, fileName: 'code' }
      },
    ),
  ]
}

function createAddRoute(
  deps: OptionDependencies,
  storeImage: (exchange: Exchange) => Promise<string | null>,
): Route {
  return declareRoute(
    createPaymentOption,
    { ...CHANGE, audit: 'payment-option.create' },
    async ({ body }, exchange) => {
      requireAddress(body)
      const { payOption, bank, accountNumber, extra, explorerUrl, displayStatus, reason } = body
      const imageId = await storeImage(exchange)
      const values = { payOption, bank, accountNumber, extra, explorerUrl, displayStatus, imageId }
      const { subjectId: id } = exchange
      const change = { known: null, payload: { id, values }, reason: reason ?? null }
      await makeChange(deps, exchange, change)
      exchange.note({ subject: id, after: values })
      await announceOption(deps.db, exchange, { name: bank, verb: 'added' })
      return { paymentOption: toPaymentOption(await getPaymentOptionRow(deps.db, id)) }
    },
  )
}

function createEditRoute(
  deps: OptionDependencies,
  storeImage: (exchange: Exchange) => Promise<string | null>,
): Route {
  return declareRoute(
    editPaymentOption,
    { ...CHANGE, audit: 'payment-option.edit' },
    async ({ params: { id }, body }, exchange) => {
      const known = toOptionValues(await getPaymentOptionRow(deps.db, id))
      const imageId = (await storeImage(exchange)) ?? known.imageId
      const values: OptionValues = {
        payOption: body.payOption ?? known.payOption,
        bank: body.bank ?? known.bank,
        accountNumber: body.accountNumber ?? known.accountNumber,
        extra: body.extra === undefined ? known.extra : body.extra || null,
        explorerUrl: body.explorerUrl === undefined ? known.explorerUrl : body.explorerUrl,
        displayStatus: body.displayStatus ?? known.displayStatus,
        imageId,
      }
      requireAddress(values)
      await storeEdit(deps, exchange, { id, known, values, reason: body.reason ?? null })
      return { paymentOption: toPaymentOption(await getPaymentOptionRow(deps.db, id)) }
    },
  )
}

/** Stores the new values. An edit that changes nothing writes nothing and notifies no one. */
async function storeEdit(
  deps: OptionDependencies,
  exchange: Exchange,
  edit: { id: string; known: OptionValues; values: OptionValues; reason: string | null },
): Promise<void> {
  const { id, known, values, reason } = edit
  exchange.note({ subject: id })
  const names = listChangedNames(known, values)
  if (names.length === 0) return
  if (String(names) === 'displayStatus' && !values.displayStatus) {
    // One administrator alone may hide an option.
    const before = await hideOption(deps.db, id)
    exchange.note({ before, after: { ...before, displayStatus: false } })
  } else {
    await makeChange(deps, exchange, { known, payload: { id, values }, reason })
    exchange.note({ before: known, after: values })
  }
  await announceOption(deps.db, exchange, { name: values.bank, verb: 'changed' })
}

function createDeleteRoute(deps: OptionDependencies): Route {
  return declareRoute(
    deletePaymentOption,
    { ...CHANGE, audit: 'payment-option.delete' },
    async ({ params: { id }, body }, exchange) => {
      const known = toOptionValues(await getPaymentOptionRow(deps.db, id))
      const reason = body.reason ?? null
      await makeChange(deps, exchange, { known, payload: { id, values: null }, reason })
      exchange.note({ subject: id, before: known })
      await announceOption(deps.db, exchange, { name: known.bank, verb: 'removed' })
      return null
    },
  )
}

/**
 * Makes the change. If two people must approve the change, stores a change request and throws 409,
 * because a wrong address would divert deposits.
 */
async function makeChange(
  deps: OptionDependencies,
  exchange: Exchange,
  change: { known: OptionValues | null; payload: OptionPayload; reason: string | null },
): Promise<void> {
  const { known, payload, reason } = change
  const definition = createOptionChange()
  if (await isChangeNeeded(deps, definition)) {
    const fields = listChangedFields(known, payload.values)
    const proposal = { payload, reason, fields, errors: 'list' } as const
    throw await requestChange(deps, exchange, { definition, proposal })
  }
  await changeOption(deps.db, { known, payload, nowMs: exchange.nowMs })
}

/** Returns the names of the form fields that have a new value. */
function listChangedFields(
  known: OptionValues | null,
  values: OptionValues | null,
): readonly string[] {
  if (values === null) return []
  return listChangedNames(known, values).map((name) => (name === 'imageId' ? 'image' : name))
}

/** Notifies the administrators of a changed payment destination. */
function announceOption(
  db: Database,
  exchange: Exchange,
  { name, verb }: { name: string; verb: string },
): Promise<void> {
  return announceToAdmins(db, {
    permission: 'paymentOptions.write',
    source: `request/${exchange.requestId}`,
    kind: 'security',
    title: `The payment option ${name} was ${verb}`,
    body: `By ${getCaller(exchange).name}, from ${exchange.ip}.`,
    link: '/manage/admin/payment_options',
    nowMs: exchange.nowMs,
  })
}
