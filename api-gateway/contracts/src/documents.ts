import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'
import { MoneyOut } from './money.ts'

/**
 * A monthly statement as a PDF. The statement is made after the ledger has signed the month. After
 * that, the statement never changes.
 */
export const MonthlyStatement = z.object({
  ...identity,
  /** The month in UTC, for example `2026-10`. */
  month: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  madeAt: Instant,
  /** The path of the file on this origin. */
  path: z.string(),
})
export type MonthlyStatement = z.infer<typeof MonthlyStatement>

export const Certificate = z.object({
  investmentId: Id,
  reference: z.string(),
  planName: z.string(),
  amount: MoneyOut,
  startedAt: Instant,
  path: z.string(),
})
export type Certificate = z.infer<typeof Certificate>

/** Lists the caller's monthly statements, newest first. */
export const listMyStatements = declareEndpoint({
  method: 'GET',
  path: '/users/me/statements',
  access: 'user',
  response: z.object({ statements: z.array(MonthlyStatement) }),
})

export const getMyStatement = declareEndpoint({
  method: 'GET',
  path: '/users/me/statements/:id',
  access: 'user',
  request: byId,
  answers: 'file',
  fileTypes: ['application/pdf'],
  response: z.null(),
  failures: [declareNotFound('statement')],
})

/** Lists one certificate for each investment, newest first; at most 1,000. */
export const listMyCertificates = declareEndpoint({
  method: 'GET',
  path: '/users/me/certificates',
  access: 'user',
  response: z.object({ certificates: z.array(Certificate) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the certificate. The first request creates the file, and later requests return the stored
 * file.
 */
export const getMyCertificate = declareEndpoint({
  method: 'GET',
  path: '/users/me/certificates/:investmentId',
  access: 'user',
  request: z.strictObject({ params: z.strictObject({ investmentId: Id }) }),
  answers: 'file',
  fileTypes: ['application/pdf'],
  response: z.null(),
  failures: [declareNotFound('investment'), ...LEDGER_QUERY_FAILURES],
})

export const exportMyStatements = declareCsvEndpoint({
  path: '/users/me/statements.csv',
  access: 'user',
})

export const exportMyCertificates = declareCsvEndpoint({
  path: '/users/me/certificates.csv',
  access: 'user',
  failures: [...LEDGER_QUERY_FAILURES],
})
