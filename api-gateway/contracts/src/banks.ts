import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant, identity, requiredText } from './fields.ts'

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
  createdAt: Instant,
})
export type BankAccount = z.infer<typeof BankAccount>

export const BankAccountForm = z
  .strictObject({
    bankName: requiredText('Bank name', 120),
    accountNumber: requiredText('Account number', 64),
    accountName: requiredText('Account name', 120),
    accountType: AccountTypeIn.optional(),
    /** Older clients send the account type here. */
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

export const listMyBanks = endpoint({
  method: 'GET',
  path: '/users/me/banks',
  access: 'user',
  response: z.object({ accounts: z.array(BankAccount) }),
})

export const addMyBank = endpoint({
  method: 'POST',
  path: '/users/me/banks',
  access: 'user',
  request: z.strictObject({ body: BankAccountForm }),
  status: 201,
  response: z.object({ account: BankAccount, accounts: z.array(BankAccount) }),
})

export const removeMyBank = endpoint({
  method: 'DELETE',
  path: '/users/me/banks/:id',
  access: 'user',
  request: z.strictObject({ params: z.strictObject({ id: Id }) }),
  status: 204,
  response: z.null(),
})
