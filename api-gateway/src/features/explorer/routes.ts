import {
  exportCheckpoints,
  exportLogEvents,
  exportTrialBalance,
  getConsistency,
  getDurability,
  getLogEvent,
  getLogKey,
  getPublicCheckpoint,
  getSampleReceipt,
  getTrialBalance,
  type LogEvent,
  listCheckpoints,
  listLogEvents,
} from '@cairn/gateway-contracts'
import { eventData } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { getRequestedLedger } from '../../platform/ledger-client/requested-ledger.ts'
import { createAccountRoutes } from './account-routes.ts'
import { formatAmountOf, formatAssetAmount, sumSizes, toTrialBalanceRows } from './asset-amount.ts'
import { toLogEvents } from './log-event.ts'
import { resolveAccount, resolveActor, resolvePerson } from './resolve-names.ts'

const EVENT_TYPES = Object.keys(eventData).toSorted()
/** The largest page that the ledger query returns. */
const EVENTS_PER_READ = 200
const CHECKPOINTS_PER_READ = 500
const any = { rate: 'read', owner: 'any', audit: null } as const

/** Creates the routes that show the log to administrators, and its checkpoints to all visitors. */
export function createExplorerRoutes(deps: Dependencies): readonly Route[] {
  const { ledger } = deps
  return [
    ...createEventRoutes(deps),
    declareRoute(getLogEvent, any, async ({ params }) => {
      const found = await ledger.ask('event', { seq: BigInt(params.seq) })
      const { bytes, receipt, verifierKeys, size } = found
      const [event] = await toLogEvents(deps, found.event === null ? [] : [found.event])
      if (event === undefined) throw createNotFoundFailure(`The ledger has no event ${params.seq}`)
      return { event, bytes, receipt, verifierKeys, size: String(size) }
    }),
    declareRoute(getDurability, any, () => ledger.ask('durability', {})),
    ...createAccountRoutes(deps),
    ...createTrialBalanceRoutes(deps),
    ...createSignedRoutes(deps),
  ]
}

const EVENTS: Columns<LogEvent> = {
  Event: ({ seq }) => seq,
  Recorded: ({ recordedAt }) => recordedAt,
  Effective: ({ effectiveAt }) => effectiveAt,
  Type: ({ type }) => type,
  Actor: ({ actor }) => actor,
  Person: ({ person }) => person?.name ?? null,
  Postings: ({ postings }) =>
    postings
      .map(({ account, amount }) => `${account} ${formatAmountOf(account, amount)}`)
      .join('; '),
  'External id': ({ externalId }) => externalId,
  Metadata: ({ metadata }) => (metadata === null ? null : JSON.stringify(metadata)),
  Linked: ({ linked }) => (linked === null ? null : `${linked.index + 1} of ${linked.length}`),
  Data: ({ data }) => JSON.stringify(data),
  'Leaf hash': ({ leafHash }) => leafHash,
}

function createEventRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers'>,
): readonly Route[] {
  return createListRoutes({
    list: listLogEvents,
    read: async ({ query }, exchange) => {
      const caller = getCaller(exchange)
      const { user, actor, account } = query
      const ledger = await getRequestedLedger(deps, query.ledger)
      const found = await ledger.ask('events', {
        before: toSeq(query.before),
        limit: query.limit,
        type: query.type ?? null,
        actor: actor === undefined ? null : await resolveActor(deps.db, actor, caller),
        account: account === undefined ? null : await resolveAccount(deps.db, account),
        externalId: query.externalId ?? null,
        reference: query.reference?.toUpperCase() ?? null,
        investorId: user === undefined ? null : await resolvePerson(deps.db, user, caller),
        amountMinor: query.amount ?? null,
        from: query.from ?? null,
        to: query.to ?? null,
      })
      const next = found.next === null ? null : String(found.next)
      return {
        events: await toLogEvents(deps, found.events),
        meta: { size: String(found.size), next, types: EVENT_TYPES },
      }
    },
    csv: {
      endpoint: exportLogEvents,
      fileName: 'events.csv',
      audit: 'ledger.export-events',
      columns: EVENTS,
      toRequest: ({ query }, { after }) => ({
        query: { ...query, limit: EVENTS_PER_READ, before: after },
      }),
      toPage: ({ events, meta }) => ({ rows: events, next: meta.next }),
    },
  })
}

const BALANCES: Columns<{
  kind: string
  asset?: string | undefined
  balance: number
  at: string
  seq: string
}> = {
  Kind: ({ kind }) => kind,
  Asset: ({ asset }) => asset ?? '',
  Balance: ({ balance, asset }) => formatAssetAmount(asset ?? null, balance),
  At: ({ at }) => at,
  'After event': ({ seq }) => seq,
}

function createTrialBalanceRoutes(deps: Dependencies): readonly Route[] {
  return createListRoutes({
    list: getTrialBalance,
    read: async ({ query }, { nowMs }) => {
      const ledger = await getRequestedLedger(deps, query.ledger)
      const { seq, totals } = await ledger.ask('trialBalance', { at: query.at ?? null })
      return {
        at: query.at ?? new Date(nowMs).toISOString(),
        seq: String(seq),
        rows: toTrialBalanceRows(totals),
        sum: sumSizes(totals),
      }
    },
    csv: {
      endpoint: exportTrialBalance,
      fileName: 'trial-balance.csv',
      audit: 'ledger.export-trial-balance',
      columns: BALANCES,
      toRequest: (request) => request,
      toPage: ({ rows, at, seq }) => toSinglePage(rows.map((row) => ({ ...row, at, seq }))),
    },
  })
}

const CHECKPOINTS: Columns<{ size: string; root: string; signedAt: string; note: string }> = {
  Events: ({ size }) => size,
  Root: ({ root }) => root,
  Signed: ({ signedAt }) => signedAt,
  'Signed note': ({ note }) => note,
}

function createSignedRoutes(deps: Dependencies): readonly Route[] {
  return [
    ...createListRoutes({
      list: listCheckpoints,
      read: async ({ query }) => {
        const before = toSeq(query.before)
        const ledger = await getRequestedLedger(deps, query.ledger)
        const found = await ledger.ask('checkpoints', { before, limit: query.limit })
        const checkpoints = found.checkpoints.map((row) => ({ ...row, size: String(row.size) }))
        const last = checkpoints.length === query.limit ? checkpoints.at(-1) : undefined
        const { verifierKeys } = found
        return { checkpoints, verifierKeys, meta: { next: last?.size ?? null } }
      },
      csv: {
        endpoint: exportCheckpoints,
        fileName: 'checkpoints.csv',
        audit: 'ledger.export-checkpoints',
        columns: CHECKPOINTS,
        toRequest: ({ query }, { after }) => ({
          query: { ...query, limit: CHECKPOINTS_PER_READ, before: after },
        }),
        toPage: ({ checkpoints, meta }) => ({ rows: checkpoints, next: meta.next }),
      },
    }),
    declareRoute(getConsistency, any, async ({ query }) => {
      const [from, to] = [BigInt(query.from), BigInt(query.to)]
      const ledger = await getRequestedLedger(deps, query.ledger)
      const { size } = await ledger.ask('head', { size: null })
      if (from < 1n || from > to || to > size) {
        throw new HttpFailure(400, 'INVALID', `Choose two sizes between 1 and ${size}, in order`)
      }
      const [older, newer, { path }] = await Promise.all([
        ledger.ask('head', { size: from }),
        ledger.ask('head', { size: to }),
        ledger.ask('consistency', { oldSize: from, size: to }),
      ])
      const formatHead = ({ size, root }: { size: bigint; root: string }) => {
        return { size: String(size), root }
      }
      return { from: formatHead(older), to: formatHead(newer), path }
    }),
    declareRoute(getPublicCheckpoint, any, async ({ query }) => {
      const ledger = await getRequestedLedger(deps, query.ledger)
      const { checkpoint } = await ledger.ask('checkpoint', {})
      return {
        checkpoint: checkpoint === null ? null : { ...checkpoint, size: String(checkpoint.size) },
      }
    }),
    declareRoute(getSampleReceipt, any, () => deps.ledger.ask('planReceipt', {})),
    declareRoute(getLogKey, any, async ({ query }) => {
      const ledger = await getRequestedLedger(deps, query.ledger)
      const [{ verifierKeys }, ledgers] = await Promise.all([
        ledger.ask('checkpoint', {}),
        deps.ledgers.list(),
      ])
      return ledgers.length > 1 ? { verifierKeys, ledgers: [...ledgers] } : { verifierKeys }
    }),
  ]
}

function toSeq(digits: string | undefined): bigint | null {
  return digits === undefined ? null : BigInt(digits)
}
