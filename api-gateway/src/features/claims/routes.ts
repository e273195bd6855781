import {
  type AdminClaim,
  approveClaim,
  CLAIM_KEYS,
  type Claim,
  type ClaimKey,
  exportClaims,
  listClaims,
  listPublicClaims,
  stateClaim,
} from '@cairn/gateway-contracts'
import { cacheFor } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, listRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { type ClaimFacts, readFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

/** Lifetime of the cached public claims in milliseconds; administrators see current ones. */
const FRESH_MS = 30_000

const COLUMNS: Columns<AdminClaim> = {
  Claim: ({ key }) => key,
  Wording: ({ wording }) => wording,
  State: ({ state }) => state,
  'Said now': ({ text }) => text,
  Rule: ({ rule }) => rule,
  Reasons: ({ reasons }) => reasons.join('; '),
  Evidence: ({ evidence }) => evidence.map(({ label, value }) => `${label}: ${value}`).join('; '),
  'Stated by': ({ statedBy }) => statedBy?.name ?? null,
  'Stated at': ({ statedAt }) => statedAt,
  'Approved by': ({ approvedBy }) => approvedBy?.name ?? null,
  'Approved at': ({ approvedAt }) => approvedAt,
}

export function createClaimRoutes(deps: Dependencies): readonly Route[] {
  const any = { rate: 'read', owner: 'any', audit: null } as const
  const shown = cacheFor(FRESH_MS, async (nowMs) => {
    const facts = await readFacts(deps, nowMs)
    return CLAIM_KEYS.map((key) => toClaim(key, facts))
  })
  return [
    route(listPublicClaims, any, async (_request, { nowMs }) => ({
      claims: await shown.read(nowMs),
    })),
    ...listRoutes({
      list: listClaims,
      read: async (_request, { nowMs }) => ({ claims: await readAdminClaims(deps, nowMs) }),
      csv: {
        endpoint: exportClaims,
        fileName: 'claims.csv',
        audit: 'claim.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ claims }) => toSinglePage(claims),
      },
    }),
    createStateRoute(deps),
    createApproveRoute(deps),
  ]
}

function createStateRoute(deps: Dependencies): Route {
  return route(
    stateClaim,
    { rate: 'write', owner: 'any', audit: 'claim.state' },
    async ({ params, body }, exchange) => {
      const row = {
        content: JSON.stringify(body),
        stated_by: callerOf(exchange).userId,
        stated_at: new Date(exchange.nowMs),
        approved_by: null,
        approved_at: null,
      }
      await deps.db
        .insertInto('platform.claim')
        .values({ key: params.key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
      exchange.note({ subject: params.key, after: body })
      return { claim: await readAdminClaim(deps, params.key, exchange.nowMs) }
    },
  )
}

function createApproveRoute(deps: Dependencies): Route {
  return route(
    approveClaim,
    { rate: 'write', owner: 'any', audit: 'claim.approve' },
    async ({ params }, exchange) => {
      const { userId } = callerOf(exchange)
      const known = await readAdminClaim(deps, params.key, exchange.nowMs)
      if (known.statedAt === null) {
        throw new HttpFailure(409, 'NOT_STATED', 'There is no statement to approve')
      }
      if (known.statedBy?.id === userId) {
        const message = 'Another administrator must approve your statement'
        throw new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
      }
      await deps.db
        .updateTable('platform.claim')
        .set({ approved_by: userId, approved_at: new Date(exchange.nowMs) })
        .where('key', '=', params.key)
        .where('approved_at', 'is', null)
        // The claim was stated again since the administrator read it.
        .where('stated_at', '=', new Date(known.statedAt))
        .execute()
      exchange.note({ subject: params.key })
      return { claim: await readAdminClaim(deps, params.key, exchange.nowMs) }
    },
  )
}

function toClaim(key: ClaimKey, facts: ClaimFacts): Claim {
  const { wording, rule, judge } = CLAIM_RULES[key]
  const { state, text, evidence } = judge(facts)
  return { key, wording, rule, state, text, evidence, asOf: new Date(facts.nowMs).toISOString() }
}

async function readAdminClaims(deps: Dependencies, nowMs: number): Promise<AdminClaim[]> {
  const facts = await readFacts(deps, nowMs)
  const people = [...facts.stated.values()].flatMap(({ statedBy, approvedBy }) =>
    approvedBy === null ? [statedBy] : [statedBy, approvedBy],
  )
  const persons = await findPersons(deps.db, people)
  return CLAIM_KEYS.map((key) => {
    const stated = facts.stated.get(key)
    const statement = stated === undefined ? null : toStatement(stated.statement)
    return {
      ...toClaim(key, facts),
      statement,
      statedAt: stated?.statedAt.toISOString() ?? null,
      approvedAt: stated?.approvedAt?.toISOString() ?? null,
      reasons: [...CLAIM_RULES[key].judge(facts).reasons],
      ...toPersonField('statedBy', persons.get(stated?.statedBy ?? '')),
      ...toPersonField('approvedBy', persons.get(stated?.approvedBy ?? '')),
    }
  })
}

async function readAdminClaim(
  deps: Dependencies,
  key: ClaimKey,
  nowMs: number,
): Promise<AdminClaim> {
  const claim = (await readAdminClaims(deps, nowMs)).find((item) => item.key === key)
  if (claim === undefined) throw new Error(`there is no claim ${key}`)
  return claim
}

function toStatement(statement: object): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(statement).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
}
