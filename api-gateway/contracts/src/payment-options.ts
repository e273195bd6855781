import { z } from 'zod'
import {
  CHANGE_FAILURES,
  CREATION_FAILURES,
  changeReason,
  changeReasonBody,
} from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint, IMAGE_TYPES } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  FILE_CHANGED,
  IMAGE_FAILURES,
  LEDGER_QUERY_FAILURES,
} from './failures.ts'
import {
  byId,
  createOptionalTextField,
  createRequiredTextField,
  Flag,
  Instant,
  identity,
  idParams,
} from './fields.ts'

export const PayOption = z.enum(
  ['Bank Transfer', 'Mobile Wallet', 'Crypto Wallet'],
  'Choose a payment option',
)
export type PayOption = z.infer<typeof PayOption>

export const PaymentOption = z.object({
  ...identity,
  payOption: PayOption,
  /** The name of the bank, or the network of a crypto wallet. */
  bank: z.string(),
  /** The account number, or the address of the crypto wallet. */
  accountNumber: z.string(),
  /** The path of a QR code on this origin. */
  image: z.string().nullable(),
  extra: z.string().nullable(),
  /** A block explorer URL; `{hash}` is replaced by the hash of the transaction. */
  explorerUrl: z.string().nullable(),
  displayStatus: z.boolean(),
  createdAt: Instant,
})
export type PaymentOption = z.infer<typeof PaymentOption>

const ExplorerUrl = z
  .string()
  .trim()
  .max(300, 'Explorer link must be at most 300 characters')
  .nullable()
  .transform((value) => (value === '' ? null : value))
  .refine(
    (value) => value === null || isExplorerUrl(value),
    'Enter an https:// address with {hash} in place of the hash, or leave the field empty',
  )

function isExplorerUrl(text: string): boolean {
  if (!text.includes('{hash}') || !URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return protocol === 'https:' && !host.includes('hash') && username === '' && password === ''
}

export const PaymentOptionForm = z.strictObject({
  payOption: PayOption,
  bank: createRequiredTextField('Bank', 120),
  accountNumber: createRequiredTextField('Account number', 200),
  extra: createOptionalTextField('Note', 1_000),
  explorerUrl: ExplorerUrl.default(null),
  displayStatus: Flag.default(true),
  ...changeReason,
})
export type PaymentOptionForm = z.input<typeof PaymentOptionForm>

const upload = { field: 'image' }

const OPTION_CHANGED = declareFailure(
  409,
  'OPTION_CHANGED',
  'This payment option has just been changed. Look at it again.',
)

/**
 * Lists the payment options. An investor gets only the visible options; an administrator gets all
 * options.
 */
export const listPaymentOptions = declareEndpoint({
  method: 'GET',
  path: '/paymentOptions',
  access: 'session',
  permission: 'paymentOptions.read',
  response: z.object({ paymentOptions: z.array(PaymentOption) }),
})

/**
 * Creates a payment option. If dual control is required, the answer is 409 `CHANGE_REQUESTED`, and
 * the option is created after another administrator has approved it.
 */
export const createPaymentOption = declareEndpoint({
  method: 'POST',
  path: '/paymentOptions',
  permission: 'paymentOptions.write',
  request: z.strictObject({ body: PaymentOptionForm }),
  upload,
  status: 201,
  response: z.object({ paymentOption: PaymentOption }),
  failures: [...IMAGE_FAILURES, ...CREATION_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/**
 * Changes a payment option. If dual control is required, every change except hiding the option
 * needs the approval of another administrator. The answer is then 409 `CHANGE_REQUESTED`, and the
 * change is made after the approval.
 */
export const editPaymentOption = declareEndpoint({
  method: 'PATCH',
  path: '/paymentOptions/:id',
  permission: 'paymentOptions.write',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payOption: PayOption.optional(),
      bank: createRequiredTextField('Bank', 120).optional(),
      accountNumber: createRequiredTextField('Account number', 200).optional(),
      extra: createOptionalTextField('Note', 1_000).optional(),
      explorerUrl: ExplorerUrl.optional(),
      displayStatus: Flag.optional(),
      ...changeReason,
    }),
  }),
  upload,
  response: z.object({ paymentOption: PaymentOption }),
  failures: [
    declareNotFound('payment option'),
    OPTION_CHANGED,
    ...IMAGE_FAILURES,
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const deletePaymentOption = declareEndpoint({
  method: 'DELETE',
  path: '/paymentOptions/:id',
  permission: 'paymentOptions.write',
  request: byId.extend({ body: changeReasonBody }),
  status: 204,
  response: z.null(),
  failures: [
    declareNotFound('payment option'),
    OPTION_CHANGED,
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const getPaymentOptionImage = declareEndpoint({
  method: 'GET',
  path: '/paymentOptions/:id/image',
  access: 'session',
  permission: 'paymentOptions.read',
  request: byId,
  answers: 'file',
  fileTypes: IMAGE_TYPES,
  response: z.null(),
  failures: [declareNotFound('payment option'), declareNotFound('image'), FILE_CHANGED],
})

export const exportPaymentOptions = declareCsvEndpoint({
  path: '/paymentOptions.csv',
  permission: 'paymentOptions.read',
})
