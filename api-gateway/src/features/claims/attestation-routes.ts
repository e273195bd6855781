import {
  type Attestation,
  confirmAttestation,
  createAttestation,
  exportAttestations,
  getAttestationDocument,
  listAttestations,
  toAmount,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { HttpFailure, invalidField, notFound } from '../../platform/http/failure.ts'
import { type Columns, listRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { callerOf, createFileRoute, type Route, route } from '../../platform/http/registry.ts'
import { findPersons, toPersonField } from '../users/index.ts'

const SHOWN_MAX = 200
const noSuchAttestation = () => notFound('There is no such statement of assets')

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
 * Attestations: one administrator enters the assets of the bank accounts, another confirms them.
 */
export function createAttestationRoutes(deps: Dependencies, blobs: BlobStore): readonly Route[] {
  return [
    ...listRoutes({
      list: listAttestations,
      read: async () => ({ attestations: await list(deps) }),
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
    createConfirmRoute(deps),
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
        if (file === null) throw noSuchAttestation()
        const { mediaType, bytes } = file
        const fileName = `assets-${params.id}`
        // The browser does not open a PDF on this origin; the reader's own program does.
        return mediaType === 'application/pdf'
          ? { mediaType, bytes, fileName: `${fileName}.pdf`, isDownload: true }
          : { mediaType, bytes, fileName }
      },
    ),
  ]
}

function createRoute(deps: Dependencies, blobs: BlobStore): Route {
  return route(
    createAttestation,
    { rate: 'write', owner: 'any', audit: 'attestation.create' },
    async ({ body }, exchange) => {
      const { userId: ownerId } = callerOf(exchange)
      const { file, nowMs, subjectId: id } = exchange
      if (file === null)
        throw invalidField('document', 'Please add the bank statement as a picture or a PDF')
      if (Date.parse(body.asOf) > nowMs) throw invalidField('asOf', 'The day is in the future')
      const { bytes: received } = file
      const stored = await blobs.put({ ownerId, purpose: 'attestation', received, nowMs })
      await deps.db
        .insertInto('platform.attestation')
        .values({
          id,
          as_of: body.asOf,
          assets_minor: body.assets,
          note: body.note,
          file_id: stored.id,
          file_sha256: stored.sha256,
          made_by: ownerId,
          made_at: new Date(nowMs),
          confirmed_by: null,
          confirmed_at: null,
        })
        .execute()
      const { asOf, assets, note } = body
      exchange.note({ subject: id, asOf, assetsMinor: assets, note, sha256: stored.sha256 })
      return { attestation: await get(deps, id) }
    },
  )
}

function createConfirmRoute(deps: Dependencies): Route {
  return route(
    confirmAttestation,
    { rate: 'write', owner: 'any', audit: 'attestation.confirm' },
    async ({ params }, exchange) => {
      const { userId } = callerOf(exchange)
      const known = await get(deps, params.id)
      if (known.madeBy?.id === userId) {
        const message = 'Another administrator must confirm your attestation'
        throw new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
      }
      await deps.db
        .updateTable('platform.attestation')
        .set({ confirmed_by: userId, confirmed_at: new Date(exchange.nowMs) })
        .where('id', '=', params.id)
        .where('confirmed_at', 'is', null)
        .execute()
      exchange.note({ subject: params.id })
      return { attestation: await get(deps, params.id) }
    },
  )
}

async function get(deps: Dependencies, id: string): Promise<Attestation> {
  const found = (await list(deps)).find((attestation) => attestation.id === id)
  if (found === undefined) throw noSuchAttestation()
  return found
}

/** Newest first. */
async function list({ db }: Dependencies): Promise<Attestation[]> {
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
    rows.flatMap(({ made_by, confirmed_by }) =>
      confirmed_by === null ? [made_by] : [made_by, confirmed_by],
    ),
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
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
    ...toPersonField('madeBy', persons.get(row.made_by)),
    ...toPersonField('confirmedBy', persons.get(row.confirmed_by ?? '')),
  }))
}
