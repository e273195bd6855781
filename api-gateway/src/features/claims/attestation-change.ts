import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { formatDay } from '../../platform/site-format.ts'
import { type ChangeDefinition, toMoneyLine, toTextLine } from '../change-requests/index.ts'

const AttestationPayload = z.strictObject({
  id: z.string(),
  asOf: z.iso.date(),
  assetsMinor: z.coerce.bigint(),
  note: z.string().nullable(),
  fileId: z.string(),
  fileSha256: z.string(),
})
export type AttestationPayload = z.infer<typeof AttestationPayload>

/**
 * Creates the definition of the change that stores an attestation. This change always needs two
 * people, even if dual control is not required.
 */
export function createAttestationChange(): ChangeDefinition<AttestationPayload> {
  return {
    kind: 'attestation',
    payload: AttestationPayload,
    permission: { propose: 'attestations.write', approve: 'attestations.write' },
    isNeeded: 'always',
    getTarget: ({ asOf }) => asOf,
    getTitle: ({ asOf }) => `Attestation of assets as of ${formatDay(asOf)}`,
    getLink: () => '/manage/admin/claims',
    listBeneficiaries: () => [],
    readBefore: (db, { asOf }) => readAssets(db, asOf),
    describeChange: async ({ asOf, assetsMinor, note, fileId }, before) => [
      toTextLine('Day', { after: formatDay(asOf) }),
      toMoneyLine('Assets', {
        before: before === null ? null : z.coerce.bigint().parse(before),
        after: assetsMinor,
      }),
      toTextLine('Note', { after: note }),
      { label: 'Document', type: 'document', before: null, after: fileId },
    ],
    getFiles: ({ fileId }) => ({ before: null, after: fileId }),
    execute: async ({ trx, payload, createdBy, createdAtMs, approvedBy, approvedAtMs }) => {
      await trx
        .insertInto('platform.attestation')
        .values({
          id: payload.id,
          as_of: payload.asOf,
          assets_minor: payload.assetsMinor,
          note: payload.note,
          file_id: payload.fileId,
          file_sha256: payload.fileSha256,
          made_by: createdBy,
          made_at: new Date(createdAtMs),
          confirmed_by: approvedBy,
          confirmed_at: new Date(approvedAtMs),
        })
        .execute()
    },
  }
}

/**
 * Returns the assets of the newest attestation of the day, in minor units as text; null if the day
 * has no attestation.
 */
async function readAssets(db: Database, asOf: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform.attestation')
    .select('assets_minor')
    .where(sql<boolean>`as_of = ${asOf}::date`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : String(row.assets_minor)
}
