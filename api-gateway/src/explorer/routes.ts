import {
  getConsistency,
  getLogAccount,
  getLogEvent,
  getLogKey,
  getPublicCheckpoint,
  getTrialBalance,
  listCheckpoints,
  listLogAccounts,
  listLogEvents,
  toAmount,
} from '@cairn/gateway-contracts'
import { ACCOUNT_KINDS, type AccountKind, eventData, kindOf } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { HttpFailure, notFound } from '../http/failure.ts'
import { type Route, route } from '../http/registry.ts'
import { findPersons } from '../users/user.ts'
import { toLogEvents } from './log-event.ts'
import { resolveAccount, resolveActor, resolvePerson } from './named.ts'

const EVENT_TYPES = Object.keys(eventData).toSorted()
const any = { rate: 'read', owner: 'any', audit: null } as const

/** The log itself, for administrators who audit; its signed heads, for everybody. */
export function explorerRoutes(deps: Dependencies): readonly Route[] {
  const { ledger } = deps
  return [
    route(listLogEvents, any, async ({ query }) => {
      const { user, actor, account } = query
      const found = await ledger.ask('events', {
        before: toSeq(query.before),
        limit: query.limit,
        type: query.type ?? null,
        actor: actor === undefined ? null : await resolveActor(deps.db, actor),
        account: account === undefined ? null : await resolveAccount(deps.db, account),
        investorId: user === undefined ? null : await resolvePerson(deps.db, user),
        amountMinor: query.amount ?? null,
        from: query.from ?? null,
        to: query.to ?? null,
      })
      const next = found.next === null ? null : String(found.next)
      return {
        events: await toLogEvents(deps, found.events),
        meta: { size: String(found.size), next, types: EVENT_TYPES },
      }
    }),
    route(getLogEvent, any, async ({ params }) => {
      const found = await ledger.ask('event', { seq: BigInt(params.seq) })
      const { bytes, receipt, verifierKeys, size } = found
      const [event] = await toLogEvents(deps, found.event === null ? [] : [found.event])
      if (event === undefined) throw notFound(`The log has no event ${params.seq}`)
      return { event, bytes, receipt, verifierKeys, size: String(size) }
    }),
    accountsRoute(deps),
    accountRoute(deps),
    trialBalanceRoute(deps),
    ...signedRoutes(deps),
  ]
}

function accountsRoute(deps: Dependencies): Route {
  return route(listLogAccounts, any, async ({ query }) => {
    const { accounts, next } = await deps.ledger.ask('accounts', {
      prefix: query.prefix,
      after: query.after ?? null,
      limit: query.limit,
    })
    const persons = await findPersons(
      deps.db,
      accounts.flatMap(({ account }) => investorOf(account) ?? []),
    )
    return {
      accounts: accounts.map(({ account, balanceMinor, lastSeq }) => {
        const person = persons.get(investorOf(account) ?? '')
        const kind = kindOf(account)
        const row = { account, kind, balance: toAmount(balanceMinor), lastSeq: String(lastSeq) }
        return person === undefined ? row : { ...row, person }
      }),
      meta: { next },
    }
  })
}

function accountRoute({ ledger }: Dependencies): Route {
  return route(getLogAccount, any, async ({ params, query }) => {
    const { account } = params
    const [now, { lines }, past] = await Promise.all([
      ledger.ask('balance', { account, at: null }),
      ledger.ask('statement', { account, before: toSeq(query.before), limit: query.limit }),
      query.at === undefined ? null : ledger.ask('balance', { account, at: query.at }),
    ])
    if (lines.length === 0 && query.before === undefined) {
      throw notFound('Nothing was ever posted to this account')
    }
    const last = lines.length === query.limit ? lines.at(-1) : undefined
    return {
      account,
      balance: toAmount(now.balanceMinor),
      past:
        past === null || query.at === undefined
          ? null
          : { at: query.at, seq: String(past.seq), balance: toAmount(past.balanceMinor) },
      lines: lines.map((line) => ({
        seq: String(line.seq),
        type: line.type,
        amount: toAmount(line.amountMinor),
        balance: toAmount(line.balanceAfterMinor),
        recordedAt: line.recordedAt,
        effectiveAt: line.effectiveAt,
      })),
      meta: { next: last === undefined ? null : String(last.seq) },
    }
  })
}

function trialBalanceRoute({ ledger }: Dependencies): Route {
  return route(getTrialBalance, any, async ({ query }, { nowMs }) => {
    const { seq, totals } = await ledger.ask('trialBalance', { at: query.at ?? null })
    const order = (kind: string) => ACCOUNT_KINDS.indexOf(kind as AccountKind)
    const kinds = Object.keys(totals).toSorted((left, right) => order(left) - order(right))
    const sumMinor = Object.values(totals).reduce((sum, minor) => sum + minor, 0n)
    return {
      at: query.at ?? new Date(nowMs).toISOString(),
      seq: String(seq),
      rows: kinds.map((kind) => ({ kind, balance: toAmount(totals[kind] ?? 0n) })),
      sum: toAmount(sumMinor),
    }
  })
}

function signedRoutes({ ledger }: Dependencies): readonly Route[] {
  return [
    route(listCheckpoints, any, async ({ query }) => {
      const before = toSeq(query.before)
      const found = await ledger.ask('checkpoints', { before, limit: query.limit })
      const checkpoints = found.checkpoints.map((row) => ({ ...row, size: String(row.size) }))
      const last = checkpoints.length === query.limit ? checkpoints.at(-1) : undefined
      const { verifierKeys } = found
      return { checkpoints, verifierKeys, meta: { next: last?.size ?? null } }
    }),
    route(getConsistency, any, async ({ query }) => {
      const [from, to] = [BigInt(query.from), BigInt(query.to)]
      const { size } = await ledger.ask('head', { size: null })
      if (from < 1n || from > to || to > size) {
        throw new HttpFailure(400, 'INVALID', `Choose two sizes between 1 and ${size}, in order`)
      }
      const [older, newer, { path }] = await Promise.all([
        ledger.ask('head', { size: from }),
        ledger.ask('head', { size: to }),
        ledger.ask('consistency', { oldSize: from, size: to }),
      ])
      const named = (head: { size: bigint; root: string }) => ({ ...head, size: String(head.size) })
      return { from: named(older), to: named(newer), path }
    }),
    route(getPublicCheckpoint, any, async () => {
      const { checkpoint } = await ledger.ask('checkpoint', {})
      return {
        checkpoint: checkpoint === null ? null : { ...checkpoint, size: String(checkpoint.size) },
      }
    }),
    route(getLogKey, any, async () => {
      const { verifierKeys } = await ledger.ask('checkpoint', {})
      return { verifierKeys }
    }),
  ]
}

function toSeq(digits: string | undefined): bigint | null {
  return digits === undefined ? null : BigInt(digits)
}

function investorOf(account: string): string | null {
  return account.startsWith('investor:') ? (account.split(':')[1] ?? null) : null
}
