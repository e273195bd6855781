import { z } from 'zod'
import { BankAccount } from './banks.ts'
import {
  BENEFICIARY_FAILURE,
  CHANGE_FAILURES,
  changeReason,
  SECOND_PERSON_FAILURES,
} from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  declareStatusConflict,
  LEDGER_COMMAND_FAILURES,
  LEDGER_QUERY_FAILURES,
} from './failures.ts'
import { createOptionalTextField, Instant, identity, idParams } from './fields.ts'
import { listQuery, UserMeta } from './lists.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { GrantedRole, PermissionName } from './permissions.ts'
import { declareRefusal } from './refusal-failures.ts'

export const Role = z.enum(['user', 'admin'])
export type Role = z.infer<typeof Role>
export const UserStatus = z.enum(['pending', 'active', 'deactivated', 'denied'])
export type UserStatus = z.infer<typeof UserStatus>

/** The filters of a list of users. `name: pending` returns the users whose new name waits for a review. */
export const userFilters = {
  status: UserStatus.optional(),
  name: z.literal('pending').optional(),
}

export const WalletAmounts = z.object({
  balance: MoneyOut,
  profit: MoneyOut,
  referralBalance: MoneyOut,
})
export type WalletAmounts = z.infer<typeof WalletAmounts>
export const WalletName = z.enum(['balance', 'profit', 'referralBalance'])
export type WalletName = z.infer<typeof WalletName>

export const User = z.object({
  ...identity,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** ISO 3166-1 alpha-2 code. */
  country: z.string(),
  countryName: z.string(),
  firstAddress: z.string(),
  secondAddress: z.string().nullable(),
  townCity: z.string().nullable(),
  gender: z.enum(['Male', 'Female']).nullable(),
  /** The photo: `default.png`, or a path on this origin. */
  photo: z.string(),
  role: Role,
  /** The roles of an administrator, including ended roles; empty for an investor. */
  roles: z.array(GrantedRole),
  status: UserStatus,
  isEmailVerified: z.boolean(),
  /** The id of the account. Referral links contain this id. */
  accountId: z.string(),
  referralLink: z.string(),
  /**
   * The amounts of the investor's wallets, in a list with one item. The list is empty for an
   * administrator.
   */
  wallet: z.array(WalletAmounts).max(1),
  bankAccounts: z.array(BankAccount),
  /** The new email until the user confirms it with the mailed code. */
  pendingEmail: z.string().nullable(),
  /** The new name of an approved user, until an administrator has reviewed it. */
  pendingName: z.string().nullable(),
  isMfaEnabled: z.boolean(),
  /**
   * The end of the credential hold. Withdrawals pause until this time after a change of the
   * password, the email or the second factor.
   */
  credentialHoldUntil: Instant.nullable(),
  createdAt: Instant,
})
export type User = z.infer<typeof User>

/** A user in the list of administrators. */
export const ListedUser = User.extend({
  /**
   * The investor's money in investments and wallets, including held money; null for an
   * administrator.
   */
  netWorth: MoneyOut.nullable(),
})
export type ListedUser = z.infer<typeof ListedUser>

/** A user in lists of transactions and investments. `photo` is missing if the user has no photo. */
export const Person = z.object({
  ...identity,
  name: z.string(),
  email: z.string(),
  photo: z.string().optional(),
})
export type Person = z.infer<typeof Person>

/** The permissions that an administrator has at the time of the answer; empty for an investor. */
export const OwnPermissions = z.array(PermissionName)

export const getMe = declareEndpoint({
  method: 'GET',
  path: '/users/me',
  access: 'arriving',
  response: z.object({ user: User, permissions: OwnPermissions }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const listUsers = declareEndpoint({
  method: 'GET',
  path: '/users',
  permission: 'users.read',
  request: z.strictObject({
    query: z.strictObject({ ...listQuery, ...userFilters }),
  }),
  response: z.object({ users: z.array(ListedUser), meta: UserMeta }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const changeUserStatus = declareEndpoint({
  method: 'PATCH',
  path: '/users/:id/status',
  permission: 'users.status',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      status: z.enum(['approve', 'active', 'deactivate', 'deny'], 'Unknown status'),
      /**
       * The name that the administrator has seen. If the user has another name, nothing changes
       * (409 `NAME_CHANGED`), because an approval verifies the name.
       */
      name: z.string().max(120).optional(),
      ...changeReason,
    }),
  }),
  response: z.object({ user: User }),
  failures: [
    declareNotFound('user'),
    declareStatusConflict('You cannot change your own status'),
    declareStatusConflict('This user is not an administrator'),
    declareStatusConflict('A user who is {status} cannot become {status}'),
    declareStatusConflict(
      'This is the last active administrator, or you are no longer an active administrator',
    ),
    declareStatusConflict(
      'This is the last active owner. Make another administrator an owner first.',
    ),
    declareStatusConflict('At least two approvers must stay active'),
    declareFailure(
      409,
      'NAME_CHANGED',
      'The name has changed since you opened this page. Read it before you decide.',
    ),
    ...CHANGE_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const fundUserWallet = declareEndpoint({
  method: 'PATCH',
  path: '/users/:id/wallets',
  permission: 'wallets.fund',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      wallet_type: WalletName,
      amount: MoneyIn,
      category: createOptionalTextField('Category', 60),
      reason: createOptionalTextField('Reason', 500),
    }),
  }),
  isIdempotent: true,
  response: z.object({ user: User }),
  failures: [
    declareNotFound('user'),
    declareRefusal('accountUnknown', 409),
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    declareFailure(422, 'NO_WALLET', 'Administrators have no wallet'),
    declareRefusal('aboveReserve'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})
