import { z } from 'zod'
import { CodeRequested } from './code-requested.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareFailure, declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import {
  byId,
  createOptionalTextField,
  createRequiredTextField,
  Instant,
  identity,
  idParams,
} from './fields.ts'

export const ACCOUNT_TYPES = [
  'savings Account',
  'Current Account',
  'Fix Deposit Account',
  'Others',
] as const

const AccountTypeIn = z
  .string()
  .trim()
  .transform((value, context) => {
    const known = ACCOUNT_TYPES.find((type) => type.toLowerCase() === value.toLowerCase())
    if (known !== undefined) return known
    context.addIssue('Choose an account type')
    return z.NEVER
  })

export const BankAccount = z.object({
  ...identity,
  accountName: z.string(),
  accountNumber: z.string(),
  bankName: z.string(),
  accountType: z.enum(ACCOUNT_TYPES),
  /** The name that the user gave to the bank account. */
  label: z.string().nullable(),
  /** The default account for withdrawals. A user has at most one default account. */
  isDefault: z.boolean(),
  /** Withdrawals are possible only to an account with status `usable`. */
  status: z.enum(['unconfirmed', 'cooling', 'usable', 'archived']),
  /** The time at which the waiting period ends or ended; null until the account is confirmed. */
  usableFrom: Instant.nullable(),
  createdAt: Instant,
  /**
   * SHA-256 of a secret salt and the details of the account. The events of withdrawals to the
   * account contain the same hash.
   */
  sha256: z.string(),
})
export type BankAccount = z.infer<typeof BankAccount>

export const BankAccountForm = z
  .strictObject({
    bankName: createRequiredTextField('Bank name', 120),
    accountNumber: createRequiredTextField('Account number', 64),
    accountName: createRequiredTextField('Account name', 120),
    accountType: AccountTypeIn.optional(),
    label: createOptionalTextField('Label', 60),
    /** The field in which older clients send the account type. */
    payOption: AccountTypeIn.optional(),
  })
  .transform((form, context) => {
    const { accountType, payOption, ...rest } = form
    if (accountType !== undefined && payOption !== undefined && accountType !== payOption) {
      context.addIssue({
        code: 'custom',
        path: ['accountType'],
        message: 'accountType and payOption differ',
      })
      return z.NEVER
    }
    const chosen = accountType ?? payOption
    if (chosen !== undefined) return { ...rest, accountType: chosen }
    context.addIssue({ code: 'custom', path: ['accountType'], message: 'Choose an account type' })
    return z.NEVER
  })

const CHANGES_LIMITED = declareFailure(
  429,
  'TOO_MANY_REQUESTS',
  'Several emails about your bank accounts were sent in the last hour. Please try again in {wait}.',
)

export const listMyBanks = declareEndpoint({
  method: 'GET',
  path: '/users/me/banks',
  access: 'user',
  response: z.object({ accounts: z.array(BankAccount) }),
})

export const addMyBank = declareEndpoint({
  method: 'POST',
  path: '/users/me/banks',
  access: 'user',
  request: z.strictObject({ body: BankAccountForm }),
  status: 201,
  response: z.object({ account: BankAccount, accounts: z.array(BankAccount) }),
  failures: [
    declareFailure(422, 'TOO_MANY_ACCOUNTS', 'You have too many bank accounts'),
    CHANGES_LIMITED,
  ],
})

/**
 * Makes this account the default account. The previous default account becomes an ordinary account.
 */
export const makeDefaultBank = declareEndpoint({
  method: 'POST',
  path: '/users/me/banks/:id/default',
  access: 'user',
  request: byId,
  response: z.object({ account: BankAccount, accounts: z.array(BankAccount) }),
  failures: [declareNotFound('bank account'), CHANGES_LIMITED],
})

export const removeMyBank = declareEndpoint({
  method: 'DELETE',
  path: '/users/me/banks/:id',
  access: 'user',
  request: byId,
  status: 204,
  response: z.null(),
  failures: [
    declareNotFound('bank account'),
    declareFailure(409, 'BANK_ACCOUNT_IN_USE', 'A pending withdrawal goes to this bank account'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

/** Confirms an account with the code that was mailed when the account was added. */
export const confirmMyBank = declareEndpoint({
  method: 'POST',
  path: '/users/me/banks/:id/confirm',
  access: 'user',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      code: z
        .string('Enter the code')
        .trim()
        .regex(/^\d{6}$/, 'Enter the six digits of the code'),
    }),
  }),
  response: z.object({ account: BankAccount, accounts: z.array(BankAccount) }),
  failures: [
    declareFailure(400, 'CODE_WRONG', 'That code is not right. You have {tries} left.'),
    declareFailure(400, 'CODE_WRONG', 'Too many wrong codes. Please ask for a new code.'),
    declareFailure(400, 'CODE_EXPIRED', 'This code is no longer valid. Please ask for a new code.'),
    declareNotFound('bank account'),
  ],
})

/** Sends a new code, unless `isSent` is false; the previous code then becomes invalid. */
export const resendBankCode = declareEndpoint({
  method: 'POST',
  path: '/users/me/banks/:id/resend_code',
  access: 'user',
  request: byId,
  response: CodeRequested,
  failures: [declareNotFound('bank account')],
})

export const exportMyBanks = declareCsvEndpoint({ path: '/users/me/banks.csv', access: 'user' })

/** The bank accounts of one user, for administrators. */
export const exportUserBanks = declareCsvEndpoint({
  path: '/users/:id/banks.csv',
  permission: 'users.read',
  request: byId,
  failures: [declareNotFound('user')],
})
