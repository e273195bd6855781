import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, IMAGE_TYPES } from './endpoint.ts'
import { declareNotFound, FILE_CHANGED, IMAGE_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, createRequiredTextField, Instant, identity, idParams } from './fields.ts'
import { exportQuery } from './lists.ts'
import { MoneyOut } from './money.ts'
import { Person, User, userFilters, WalletAmounts } from './users.ts'

export const UserNote = z.object({
  ...identity,
  text: z.string(),
  author: Person.optional(),
  createdAt: Instant,
})

/** Returns the data of one user, without transactions and investments. */
export const getUser = declareEndpoint({
  method: 'GET',
  path: '/users/:id',
  permission: 'users.read',
  request: byId,
  response: z.object({
    user: User,
    /** The user's money; null if the user is not yet an investor in the ledger. */
    money: z
      .object({
        available: WalletAmounts,
        held: WalletAmounts,
        invested: MoneyOut,
        deposited: MoneyOut,
        withdrawn: MoneyOut,
        profit: MoneyOut,
        referral: MoneyOut,
        activeInvestments: z.int(),
      })
      .nullable(),
    referrer: Person.optional(),
    referred: z.int(),
    /** Notes about the user; empty for a caller without the permission `users.notes`. */
    notes: z.array(UserNote),
    /** The last time at which the user used a session. */
    lastSeenAt: Instant.nullable(),
  }),
  failures: [declareNotFound('user'), ...LEDGER_QUERY_FAILURES],
})

export const addUserNote = declareEndpoint({
  method: 'POST',
  path: '/users/:id/notes',
  permission: 'users.notes',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({ text: createRequiredTextField('Note', 2_000) }),
  }),
  status: 201,
  response: z.object({ note: UserNote }),
  failures: [declareNotFound('user')],
})

/** Stores the caller's photo, sent in the file field `photo`. */
export const putMyPhoto = declareEndpoint({
  method: 'PUT',
  path: '/users/me/photo',
  access: 'session',
  request: z.strictObject({ body: z.strictObject({}) }),
  upload: { field: 'photo' },
  response: z.object({ user: User }),
  failures: [...IMAGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

export const deleteMyPhoto = declareEndpoint({
  method: 'DELETE',
  path: '/users/me/photo',
  access: 'session',
  status: 204,
  response: z.null(),
})

/** Returns the photo of a user. Only this user and administrators receive it. */
export const getUserPhoto = declareEndpoint({
  method: 'GET',
  path: '/users/:id/photo',
  access: 'session',
  request: byId,
  response: z.null(),
  answers: 'file',
  fileTypes: IMAGE_TYPES,
  failures: [declareNotFound('user'), declareNotFound('picture'), FILE_CHANGED],
})

export const exportUsers = declareCsvEndpoint({
  path: '/users.csv',
  permission: 'users.read',
  request: z.strictObject({
    query: z.strictObject({
      sort: exportQuery.sort,
      q: exportQuery.q,
      from: exportQuery.from,
      to: exportQuery.to,
      ...userFilters,
    }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
