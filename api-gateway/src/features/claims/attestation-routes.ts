import {
  type Attestation,
  createAttestation,
  exportAttestations,
  getAttestationDocument,
  getDayIn,
  listAttestations,
  toAmount,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { answerUpload } from '../../platform/files/upload-answer.ts'
import { createInvalidFieldFailure, createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import {
  createFileRoute,
  declareRoute,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import { requestChange } from '../change-requests/index.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { createAttestationChange } from './attestation-change.ts'

const SHOWN_MAX = 200
const createAttestationNotFoundFailure = () => createNotFoundFailure('There is no such attestation')

const COLUMNS: Columns<Attestation> = {
  'As of': ({ asOf }) => asOf,
  Assets: ({ assets }) => assets.toFixed(2),
  Note: ({ note }) => note,
  'Made by': ({ madeBy }) => madeBy?.name ?? null,
  'Made at': ({ madeAt }) => madeAt,
  'Confirmed by': ({ confirmedBy }) => confirmedBy?.name ?? null,
  'Confirmed at': ({ confirmedAt }) => confirmedAt,
  'SHA-256 of the document': ({ documentSha256 }) => documentSha256,
}

/**
 * Creates the routes for attestations. One administrator enters the assets of the bank accounts,
 * and another approves them.
 */
export function createAttestationRoutes(deps: Dependencies, blobs: BlobStore): readonly Route[] {
  return [
    ...createListRoutes({
      list: listAttestations,
      read: async () => ({ attestations: await readAttestations(deps) }),
      csv: {
        endpoint: exportAttestations,
        fileName: 'attestations.csv',
        audit: 'attestation.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ attestations }) => toSinglePage(attestations),
      },
    }),
    createRoute(deps, blobs),
    createFileRoute(
      getAttestationDocument,
      { rate: 'read', owner: 'any', audit: null },
      async ({ params }) => {
        const row = await deps.db
          .selectFrom('platform.attestation')
          .select('file_id')
          .where('id', '=', params.id)
          .executeTakeFirst()
        const file = row === undefined ? null : await blobs.find(row.file_id)
        if (file === null) throw createAttestationNotFoundFailure()
        return answerUpload(file, `assets-${params.id}`)
      },
    ),
  ]
}

function createRoute(deps: Dependencies, blobs: BlobStore): Route {
  const definition = createAttestationChange()
  return declareRoute(
    createAttestation,
    { rate: 'write', owner: 'any', audit: 'attestation.create' },
    async ({ body: { asOf, assets, note } }, exchange) => {
      const { userId: ownerId } = getCaller(exchange)
      const { file, nowMs, subjectId: id } = exchange
      if (file === null)
        throw createInvalidFieldFailure(
          'document',
          'Please add the bank statement as a picture or a PDF',
        )
      const { general } = await deps.settings.read()
      if (asOf > getDayIn(general.timezone, nowMs))
        throw createInvalidFieldFailure('asOf', 'The day is in the future')
      const { bytes: received } = file
      const stored = await blobs.put({ ownerId, purpose: 'attestation', received, nowMs })
      const payload = {
        id,
        asOf,
        assetsMinor: assets,
        note,
        fileId: stored.id,
        fileSha256: stored.sha256,
      }
      const fields = ['asOf', 'assets', 'note', 'document']
      const proposal = { payload, reason: note, fields, errors: 'list' } as const
      throw await requestChange(deps, exchange, { definition, proposal })
    },
  )
}

/** Lists the attestations, newest first. */
async function readAttestations({ db }: Dependencies): Promise<Attestation[]> {
  const rows = await db
    .selectFrom('platform.attestation')
    .selectAll()
    .select(sql<string>`as_of::text`.as('asOf'))
    .orderBy('as_of', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const persons = await findPersons(
    db,
    rows.flatMap(({ made_by, confirmed_by }) => [made_by, confirmed_by]),
  )
  return rows.map((row) => ({
    id: row.id,
    _id: row.id,
    asOf: row.asOf,
    assets: toAmount(BigInt(row.assets_minor)),
    note: row.note,
    document: `/api/v1/admin/attestations/${row.id}/document`,
    documentSha256: row.file_sha256,
    madeAt: row.made_at.toISOString(),
    confirmedAt: row.confirmed_at.toISOString(),
    ...toPersonField('madeBy', persons.get(row.made_by)),
    ...toPersonField('confirmedBy', persons.get(row.confirmed_by)),
  }))
}
