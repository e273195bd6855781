import {
  createFaq,
  deleteFaq,
  editFaq,
  exportFaqs,
  FAQS_MAX,
  type Faq,
  listFaqs,
  listPublicFaqs,
} from '@cairn/gateway-contracts'
import { LedgerUnreachable } from '@cairn/ledger-contracts'
import { type Selectable, sql } from 'kysely'
import { createCachedValue } from '../../platform/cache.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { measureDecisionTimes } from '../claims/index.ts'
import { answerAmounts } from './amounts-question.ts'
import { answerTimes, type DecisionTimes } from './time-question.ts'

type Row = Selectable<Tables['platform.faq']>
const read = { rate: 'read', owner: 'any', audit: null } as const
/** Lifetime of the measured times, in milliseconds. */
const TIMES_FRESH_MS = 60_000
const createFaqNotFoundFailure = () => createNotFoundFailure('There is no such question')

const COLUMNS: Columns<Faq> = {
  Position: ({ position }) => position,
  Question: ({ question }) => question,
  Answer: ({ answer }) => answer,
  Shown: ({ displayStatus }) => displayStatus,
  Updated: ({ updatedAt }) => updatedAt,
}

export function createFaqRoutes(deps: Pick<Dependencies, 'db' | 'ledger'>): readonly Route[] {
  const times = createCachedValue(TIMES_FRESH_MS, (nowMs) => measureTimes(deps, nowMs))
  /** Returns null if the ledger cannot be reached, because the stored questions do not need it. */
  const readFacts = async (nowMs: number) => {
    try {
      const [{ rules }, measured] = await Promise.all([
        deps.ledger.ask('rules', {}),
        times.read(nowMs),
      ])
      return { rules, times: measured }
    } catch (error) {
      if (error instanceof LedgerUnreachable) return null
      throw error
    }
  }
  return [
    declareRoute(listPublicFaqs, read, async (_request, { nowMs }) => {
      const [rows, facts] = await Promise.all([listRows(deps), readFacts(nowMs)])
      const stored = rows.filter(({ is_visible }) => is_visible).map(toFaq)
      if (facts === null) return { faqs: stored }
      const now = new Date(nowMs)
      const position = (rows.at(-1)?.position ?? 0) + 1
      const amounts = answerAmounts(facts.rules, { position, now })
      const times = answerTimes(facts.times, { position: position + 1, now })
      return { faqs: [...stored, amounts, times] }
    }),
    ...createListRoutes({
      list: listFaqs,
      read: async () => ({ faqs: (await listRows(deps)).map(toFaq) }),
      csv: {
        endpoint: exportFaqs,
        fileName: 'faqs.csv',
        audit: 'faq.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ faqs }) => toSinglePage(faqs),
      },
    }),
    createRoute(deps),
    createEditRoute(deps),
    declareRoute(
      deleteFaq,
      { rate: 'write', owner: 'any', audit: 'faq.delete' },
      async ({ params }, exchange) => {
        const row = await deps.db
          .deleteFrom('platform.faq')
          .where('id', '=', params.id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) throw createFaqNotFoundFailure()
        exchange.note({ subject: params.id, before: toFaq(row) })
        return null
      },
    ),
  ]
}

function createRoute(deps: Pick<Dependencies, 'db'>): Route {
  return declareRoute(
    createFaq,
    { rate: 'write', owner: 'any', audit: 'faq.create' },
    async ({ body }, exchange) => {
      const row = await deps.db.transaction().execute(async (trx) => {
        // Without the lock, two calls at once could exceed the limit, and lists end at the limit.
        await sql`select pg_advisory_xact_lock(hashtext('a new question'))`.execute(trx)
        const known = await listRows({ db: trx })
        if (known.length >= FAQS_MAX) {
          throw new HttpFailure(422, 'TOO_MANY', `There can be at most ${FAQS_MAX} questions`)
        }
        return await trx
          .insertInto('platform.faq')
          .values({
            id: exchange.subjectId,
            question: body.question,
            answer: body.answer,
            position: body.position ?? (known.at(-1)?.position ?? 0) + 1,
            is_visible: body.displayStatus,
            updated_at: new Date(exchange.nowMs),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      })
      exchange.note({ subject: row.id, ...body })
      return { faq: toFaq(row) }
    },
  )
}

function createEditRoute(deps: Pick<Dependencies, 'db'>): Route {
  return declareRoute(
    editFaq,
    { rate: 'write', owner: 'any', audit: 'faq.edit' },
    async ({ params: { id }, body }, exchange) => {
      const { question, answer, position, displayStatus: is_visible } = body
      const { before, row } = await deps.db.transaction().execute(async (trx) => {
        // The lock lets two changes at once wait for each other, so that `before` is what this
        // change replaces.
        const before = await trx
          .selectFrom('platform.faq')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (before === undefined) throw createFaqNotFoundFailure()
        // A field that was not sent is undefined and is not set.
        const sent = { question, answer, position, is_visible }
        const row = await trx
          .updateTable('platform.faq')
          .set({ ...sent, updated_at: new Date(exchange.nowMs) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return { before, row }
      })
      exchange.note({ subject: id, before: toFaq(before), after: toFaq(row) })
      return { faq: toFaq(row) }
    },
  )
}

async function measureTimes(
  deps: Pick<Dependencies, 'ledger'>,
  nowMs: number,
): Promise<DecisionTimes> {
  const [deposit, withdrawal] = await Promise.all([
    measureDecisionTimes(deps, nowMs, { type: 'deposit' }),
    measureDecisionTimes(deps, nowMs, { type: 'withdrawal' }),
  ])
  return { deposit, withdrawal }
}

function listRows({ db }: Pick<Dependencies, 'db'>): Promise<Row[]> {
  return db
    .selectFrom('platform.faq')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .limit(FAQS_MAX)
    .execute()
}

function toFaq(row: Row): Faq {
  return {
    id: row.id,
    _id: row.id,
    question: row.question,
    answer: row.answer,
    position: row.position,
    displayStatus: row.is_visible,
    updatedAt: row.updated_at.toISOString(),
  }
}
