import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure, IMAGE_FAILURES, LEDGER_QUERY_FAILURES, noSuch } from './failures.ts'
import { byId, Flag, Instant, identity, idParams, optionalText, requiredText } from './fields.ts'

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
  /**
   * The time since which the option is hidden and waits for the approval of an administrator other
   * than its editor.
   */
  waitingSince: Instant.nullable(),
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
    'Enter an https:// address with {hash} where the hash goes, or nothing',
  )

function isExplorerUrl(text: string): boolean {
  if (!text.includes('{hash}') || !URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return protocol === 'https:' && !host.includes('hash') && username === '' && password === ''
}

export const PaymentOptionForm = z.strictObject({
  payOption: PayOption,
  bank: requiredText('Bank', 120),
  accountNumber: requiredText('Account number', 200),
  extra: optionalText('Note', 1_000),
  explorerUrl: ExplorerUrl.default(null),
  displayStatus: Flag.default(true),
})
export type PaymentOptionForm = z.input<typeof PaymentOptionForm>

const upload = { field: 'image' }

const WAITING = [
  failure(
    409,
    'OPTION_WAITS',
    'A change waits for a second administrator. Approve it unchanged, or delete the option.',
  ),
  failure(409, 'SECOND_APPROVER_NEEDED', 'Another administrator must approve your change'),
  failure(409, 'OPTION_CHANGED', 'This was changed meanwhile. Please look at it again.'),
]

/** Investors receive the visible options, administrators all options. */
export const listPaymentOptions = endpoint({
  method: 'GET',
  path: '/paymentOptions',
  access: 'session',
  permission: 'paymentOptions.read',
  response: z.object({ paymentOptions: z.array(PaymentOption) }),
})

/**
 * If the settings require two administrators, the option is hidden until another one approves it.
 */
export const createPaymentOption = endpoint({
  method: 'POST',
  path: '/paymentOptions',
  permission: 'paymentOptions.write',
  request: z.strictObject({ body: PaymentOptionForm }),
  upload,
  status: 201,
  response: z.object({ paymentOption: PaymentOption }),
  failures: [...IMAGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/**
 * If the settings require two administrators, a change of the payment destination hides the option
 * until another administrator approves it, with `asOf` equal to the version that they saw.
 */
export const editPaymentOption = endpoint({
  method: 'PATCH',
  path: '/paymentOptions/:id',
  permission: 'paymentOptions.write',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payOption: PayOption.optional(),
      bank: requiredText('Bank', 120).optional(),
      accountNumber: requiredText('Account number', 200).optional(),
      extra: optionalText('Note', 1_000).optional(),
      explorerUrl: ExplorerUrl.optional(),
      displayStatus: Flag.optional(),
      /** The `waitingSince` that the page showed. */
      asOf: Instant.optional(),
    }),
  }),
  upload,
  response: z.object({ paymentOption: PaymentOption }),
  failures: [noSuch('payment option'), ...IMAGE_FAILURES, ...WAITING, ...LEDGER_QUERY_FAILURES],
})

export const deletePaymentOption = endpoint({
  method: 'DELETE',
  path: '/paymentOptions/:id',
  permission: 'paymentOptions.write',
  request: byId,
  status: 204,
  response: z.null(),
  failures: [noSuch('payment option')],
})

export const getPaymentOptionImage = endpoint({
  method: 'GET',
  path: '/paymentOptions/:id/image',
  access: 'session',
  permission: 'paymentOptions.read',
  request: byId,
  answers: 'file',
  response: z.null(),
  failures: [noSuch('payment option'), noSuch('image')],
})

export const exportPaymentOptions = csvEndpoint({
  path: '/paymentOptions.csv',
  permission: 'paymentOptions.read',
})
