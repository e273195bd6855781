import {
  type Certificate,
  exportMyCertificates,
  exportMyStatements,
  getMyCertificate,
  getMyStatement,
  listMyCertificates,
  listMyStatements,
  type MonthlyStatement,
  toAmount,
} from '@cairn/gateway-contracts'
import type { LedgerClient, LedgerInvestment } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { openForPerson } from '../../platform/erasure/person-key.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { createFileRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { toLedgerNumber } from '../../platform/ledger-client/event-number.ts'
import { createCertificatePdf } from './certificate.ts'
import { findDocument, type StoredDocument, storeDocument } from './document-store.ts'

const CERTIFICATES_MAX = 1_000
const PREFIX = '/api/v1/users/me'
const STATEMENT_COLUMNS: Columns<MonthlyStatement> = {
  Month: ({ month }) => month,
  Bytes: ({ sizeBytes }) => sizeBytes,
  'SHA-256': ({ sha256 }) => sha256,
  Made: ({ madeAt }) => madeAt,
}
const CERTIFICATE_COLUMNS: Columns<Certificate> = {
  Reference: ({ reference }) => reference,
  Plan: ({ planName }) => planName,
  Amount: ({ amount }) => amount.toFixed(2),
  Begun: ({ startedAt }) => startedAt,
}
const own = { rate: 'read', owner: 'own', audit: null } as const
const mediaType = 'application/pdf'

export function createDocumentRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers' | 'settings'>,
): readonly Route[] {
  return [
    ...createListRoutes({
      list: listMyStatements,
      read: async (_request, exchange) => {
        const rows = await deps.db
          .selectFrom('platform.paper')
          .select(['id', 'subject', 'sha256', 'made_at', 'size_bytes'])
          .where('kind', '=', 'statement')
          .where('investor_id', '=', getCaller(exchange).userId)
          .orderBy('subject', 'desc')
          .execute()
        return {
          statements: rows.map(({ id, subject, sha256, made_at, size_bytes }) => ({
            id,
            _id: id,
            month: subject,
            sizeBytes: size_bytes,
            sha256,
            madeAt: made_at.toISOString(),
            path: `${PREFIX}/statements/${id}`,
          })),
        }
      },
      csv: {
        endpoint: exportMyStatements,
        fileName: 'statements.csv',
        audit: null,
        columns: STATEMENT_COLUMNS,
        toRequest: (request) => request,
        toPage: ({ statements }) => toSinglePage(statements),
      },
    }),
    createFileRoute(getMyStatement, own, async ({ params }, exchange) => {
      const { userId } = getCaller(exchange)
      const row = await deps.db
        .selectFrom('platform.paper')
        .select(['subject', 'sealed'])
        .where('id', '=', params.id)
        .where('kind', '=', 'statement')
        .where('investor_id', '=', userId)
        .executeTakeFirst()
      const bytes =
        row === undefined ? null : await openForPerson(deps.db, { userId, sealed: row.sealed })
      if (row === undefined || bytes === null)
        throw createNotFoundFailure('There is no such statement')
      return { mediaType, bytes, fileName: `statement-${row.subject}.pdf`, isDownload: true }
    }),
    ...createListRoutes({
      list: listMyCertificates,
      read: async (_request, exchange) => {
        const { investments } = await deps.ledger.ask('investments', {
          investorIds: [getCaller(exchange).userId],
          from: null,
          to: null,
          order: 'newest',
          limit: CERTIFICATES_MAX,
          offset: 0,
          status: null,
          q: null,
        })
        return { certificates: investments.filter(isCertified).map(toCertificateContent) }
      },
      csv: {
        endpoint: exportMyCertificates,
        fileName: 'certificates.csv',
        audit: null,
        columns: CERTIFICATE_COLUMNS,
        toRequest: (request) => request,
        toPage: ({ certificates }) => toSinglePage(certificates),
      },
    }),
    createFileRoute(getMyCertificate, own, async ({ params }, exchange) => {
      const { userId } = getCaller(exchange)
      const { investment } = await deps.ledger.ask('investment', params)
      if (investment === null || investment.investorId !== userId) {
        throw createNotFoundFailure('There is no such investment')
      }
      const { bytes } = await loadCertificate(deps, { investment, nowMs: exchange.nowMs })
      const fileName = `certificate-${investment.reference}.pdf`
      return { mediaType, bytes, fileName, isDownload: true }
    }),
  ]
}

/**
 * An investment that its investor has cancelled gets no certificate, because each one is stored for
 * good, and an investor can invest and cancel in a loop.
 */
function isCertified({ status }: LedgerInvestment): boolean {
  return status !== 'cancelled'
}

function toCertificateContent(investment: LedgerInvestment) {
  return {
    investmentId: investment.investmentId,
    reference: investment.reference,
    planName: investment.planName ?? 'No Plan',
    amount: toAmount(investment.principalMinor),
    startedAt: investment.startedAt,
    path: `${PREFIX}/certificates/${investment.investmentId}`,
  }
}

async function loadCertificate(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers' | 'settings'>,
  { investment, nowMs }: { investment: LedgerInvestment; nowMs: number },
): Promise<StoredDocument> {
  const { investorId, investmentId: subject } = investment
  const key = { kind: 'certificate', investorId, subject } as const
  const stored = await findDocument(deps.db, key)
  if (stored !== null) return stored
  if (!isCertified(investment)) throw createNotFoundFailure('There is no such investment')
  const ledger = deps.ledgers.getOwnClient(await deps.ledgers.findHome(investorId))
  const seq = toLedgerNumber(investment.seq)
  const [{ general }, { checkpoint, verifierKeys }, person] = await Promise.all([
    deps.settings.read(),
    readCoveringCheckpoint(ledger, seq),
    deps.db
      .selectFrom('identity.user')
      .select(['name', 'account_id'])
      .where('id', '=', investorId)
      .executeTakeFirstOrThrow(),
  ])
  const bytes = await createCertificatePdf({
    siteName: general.siteName,
    siteUrl: general.siteUrl,
    reader: { name: person.name, accountId: person.account_id },
    investment,
    seq,
    checkpoint,
    verifierKeys,
    riskWarning: general.riskBanner.text,
    madeAtMs: nowMs,
  })
  const issued = await storeDocument(deps.db, { ...key, bytes, nowMs })
  // The document is null if the account was closed while the document was made.
  if (issued === null) throw createNotFoundFailure('There is no such investment')
  return issued
}

/** Returns the newest checkpoint, which covers the event, and the keys of the ledger. */
async function readCoveringCheckpoint(ledger: LedgerClient, seq: bigint) {
  // The ledger signs only once a minute, but at once for a receipt.
  await ledger.ask('receipt', { seq })
  const { checkpoint, verifierKeys } = await ledger.ask('checkpoint', {})
  if (checkpoint === null) throw new Error(`no checkpoint covers event ${seq}`)
  return { checkpoint, verifierKeys }
}
