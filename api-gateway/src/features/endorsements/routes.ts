import { isDeepStrictEqual } from 'node:util'
import {
  createEndorsement,
  deleteEndorsement,
  ENDORSEMENTS_MAX,
  type Endorsement,
  type EndorsementForm,
  editEndorsement,
  exportEndorsements,
  listEndorsements,
  listPublicEndorsements,
} from '@cairn/gateway-contracts'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'

type Row = Selectable<Tables['platform.endorsement']>
type Form = z.output<typeof EndorsementForm>

const write = { rate: 'write', owner: 'any' } as const
const createEndorsementNotFoundFailure = () =>
  createNotFoundFailure('There is no such testimonial or sponsor')

const COLUMNS: Columns<Endorsement> = {
  Kind: ({ kind }) => kind,
  Name: ({ name }) => name,
  Role: ({ role }) => role,
  Quote: ({ quote }) => quote,
  Paid: ({ isPaid }) => isPaid,
  Consent: ({ consent }) => consent,
  Position: ({ position }) => position,
  Shown: ({ displayStatus }) => displayStatus,
  Updated: ({ updatedAt }) => updatedAt,
}

/** Creates the routes of the testimonials and sponsors that the operator adds. */
export function createEndorsementRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return [
    declareRoute(listPublicEndorsements, { rate: 'read', owner: 'any', audit: null }, async () => ({
      endorsements: (await listRows(deps))
        .filter(({ is_visible }) => is_visible)
        .map(toPublicEndorsement),
    })),
    ...createListRoutes({
      list: listEndorsements,
      read: async () => ({ endorsements: (await listRows(deps)).map(toEndorsement) }),
      csv: {
        endpoint: exportEndorsements,
        fileName: 'testimonials-and-sponsors.csv',
        audit: 'endorsement.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ endorsements }) => toSinglePage(endorsements),
      },
    }),
    createAddRoute(deps),
    createEditRoute(deps),
    declareRoute(
      deleteEndorsement,
      { ...write, audit: 'endorsement.delete' },
      async ({ params }, exchange) => {
        const row = await deps.db
          .deleteFrom('platform.endorsement')
          .where('id', '=', params.id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) throw createEndorsementNotFoundFailure()
        exchange.note({ subject: params.id, before: toEndorsement(row) })
        return null
      },
    ),
  ]
}

function createAddRoute(deps: Pick<Dependencies, 'db'>): Route {
  return declareRoute(
    createEndorsement,
    { ...write, audit: 'endorsement.create' },
    async ({ body }, exchange) => {
      const row = await deps.db.transaction().execute(async (trx) => {
        // Without the lock, two calls at once could exceed the limit, and lists end at the limit.
        await sql`select pg_advisory_xact_lock(hashtext('a new endorsement'))`.execute(trx)
        const known = await listRows({ db: trx })
        if (known.length >= ENDORSEMENTS_MAX) {
          const limit = `There can be at most ${ENDORSEMENTS_MAX} testimonials and sponsors in total`
          throw new HttpFailure(422, 'TOO_MANY', `${limit}. Delete one first.`)
        }
        const last = (known.at(-1)?.position ?? 0) + 1
        const updated_at = new Date(exchange.nowMs)
        return await trx
          .insertInto('platform.endorsement')
          .values({ id: exchange.subjectId, ...toColumns(body, last), updated_at })
          .returningAll()
          .executeTakeFirstOrThrow()
      })
      exchange.note({ subject: row.id, after: toEndorsement(row) })
      return { endorsement: toEndorsement(row) }
    },
  )
}

function createEditRoute(deps: Pick<Dependencies, 'db'>): Route {
  return declareRoute(
    editEndorsement,
    { ...write, audit: 'endorsement.edit' },
    async ({ params: { id }, query: { updatedAt }, body }, exchange) => {
      const { before, row } = await deps.db.transaction().execute(async (trx) => {
        // The lock lets two changes at once wait for each other, so that the second one is compared
        // with the first.
        const before = await trx
          .selectFrom('platform.endorsement')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (before === undefined) throw createEndorsementNotFoundFailure()
        const columns = toColumns(body, before.position)
        // The form is already stored, for example because the answer to its first save was lost.
        if (isDeepStrictEqual({ ...before, ...columns }, before)) return { before, row: before }
        requireSeenState(before, updatedAt)
        const row = await trx
          .updateTable('platform.endorsement')
          .set({ ...columns, updated_at: new Date(exchange.nowMs) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return { before, row }
      })
      exchange.note({ subject: row.id, before: toEndorsement(before), after: toEndorsement(row) })
      return { endorsement: toEndorsement(row) }
    },
  )
}

/** Throws if the row has changed since the caller read it. `undefined` accepts any state. */
function requireSeenState({ updated_at }: Row, seenAt: string | undefined): void {
  if (seenAt === undefined || Date.parse(seenAt) === updated_at.getTime()) return
  const message =
    'Another administrator has changed this entry. Close it, open it again and repeat your change.'
  throw new HttpFailure(409, 'VERSION_CONFLICT', message)
}

/**
 * Converts the form to the columns of a row, without the time of the change. A form without a
 * position gets the position `last`.
 */
function toColumns(form: Form, last: number) {
  const { kind, name, role, quote, consent } = form
  return {
    kind,
    name,
    role,
    quote,
    consent,
    is_paid: form.isPaid,
    position: form.position ?? last,
    is_visible: form.displayStatus,
  }
}

function listRows({ db }: Pick<Dependencies, 'db'>): Promise<Row[]> {
  return db
    .selectFrom('platform.endorsement')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .limit(ENDORSEMENTS_MAX)
    .execute()
}

/** Omits the consent, because it can contain the names of people and details of their letters. */
function toPublicEndorsement(row: Row) {
  const { id, name, role, quote } = row
  const kind = row.kind === 'sponsor' ? ('sponsor' as const) : ('testimonial' as const)
  return { id, _id: id, kind, name, role, quote, isPaid: row.is_paid }
}

function toEndorsement(row: Row): Endorsement {
  return {
    ...toPublicEndorsement(row),
    consent: row.consent,
    position: row.position,
    displayStatus: row.is_visible,
    updatedAt: row.updated_at.toISOString(),
  }
}
