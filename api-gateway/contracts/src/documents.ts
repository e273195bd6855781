import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED, noSuch } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'
import { MoneyOut } from './money.ts'

/** A month's statement as a PDF, made when the ledger has signed the month and never changed. */
export const MonthlyStatement = z.object({
  ...identity,
  /** In UTC, such as `2026-10`. */
  month: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  madeAt: Instant,
  /** Where the file is. */
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

/** Newest first. */
export const listMyStatements = endpoint({
  method: 'GET',
  path: '/users/me/statements',
  access: 'user',
  response: z.object({ statements: z.array(MonthlyStatement) }),
})

export const getMyStatement = endpoint({
  method: 'GET',
  path: '/users/me/statements/:id',
  access: 'user',
  request: byId,
  answers: 'file',
  response: z.null(),
  failures: [noSuch('statement')],
})

/** One for each investment, newest first; at most the newest thousand. */
export const listMyCertificates = endpoint({
  method: 'GET',
  path: '/users/me/certificates',
  access: 'user',
  response: z.object({ certificates: z.array(Certificate) }),
  failures: [...LEDGER_ASKED],
})

/** Made when it is first asked for, at once, and the same file ever after. */
export const getMyCertificate = endpoint({
  method: 'GET',
  path: '/users/me/certificates/:investmentId',
  access: 'user',
  request: z.strictObject({ params: z.strictObject({ investmentId: Id }) }),
  answers: 'file',
  response: z.null(),
  failures: [noSuch('investment'), ...LEDGER_ASKED],
})
