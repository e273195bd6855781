import {
  type AdminClaim,
  CLAIM_KEYS,
  type Claim,
  type ClaimKey,
  exportClaims,
  listClaims,
  listPublicClaims,
  stateClaim,
} from '@cairn/gateway-contracts'
import { createCachedValue } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { requestChange } from '../change-requests/index.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { createClaimChange, fillInMissingFields } from './claim-change.ts'
import { type ClaimFacts, readFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

/**
 * Lifetime of the cached public claims in milliseconds. Claims for administrators are not cached.
 */
const FRESH_MS = 30_000

const COLUMNS: Columns<AdminClaim> = {
  Claim: ({ key }) => key,
  Wording: ({ wording }) => wording,
  State: ({ state }) => state,
  'Published text': ({ text }) => text,
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
  const shown = createCachedValue(FRESH_MS, async (nowMs) => {
    const facts = await readFacts(deps, nowMs)
    return CLAIM_KEYS.map((key) => toClaim(key, facts))
  })
  return [
    declareRoute(listPublicClaims, any, async (_request, { nowMs }) => ({
      claims: await shown.read(nowMs),
    })),
    ...createListRoutes({
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
  ]
}

function createStateRoute(deps: Dependencies): Route {
  const definition = createClaimChange()
  return declareRoute(
    stateClaim,
    { rate: 'write', owner: 'any', audit: 'claim.state' },
    async ({ params: { key }, body: { reason = null, ...statement } }, exchange) => {
      const isEmpty = Object.values(statement).every((value) => value == null)
      if (!isEmpty) {
        const payload = { key, statement: fillInMissingFields(statement) }
        const fields = Object.keys(statement)
        const proposal = { payload, reason, fields, errors: 'list' } as const
        throw await requestChange(deps, exchange, { definition, proposal })
      }
      await deps.db.deleteFrom('platform.claim').where('key', '=', key).execute()
      exchange.note({ subject: key, after: null })
      return { claim: await readAdminClaim(deps, key, exchange.nowMs) }
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
  const people = [...facts.stated.values()].flatMap(({ statedBy, approvedBy }) => [
    statedBy,
    approvedBy,
  ])
  const persons = await findPersons(deps.db, people)
  return CLAIM_KEYS.map((key) => {
    const stated = facts.stated.get(key)
    const statement = stated === undefined ? null : toStatement(stated.statement)
    return {
      ...toClaim(key, facts),
      statement,
      statedAt: stated?.statedAt.toISOString() ?? null,
      approvedAt: stated?.approvedAt.toISOString() ?? null,
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
