import { fileTooLarge, megabytesOf, RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'

type Limits = { receiptBytesMax: number }

/** `PNG, JPG (MAX. 2MB)`, with the limit of the server; settings may not have come yet. */
export function pictureHint(settings?: Limits): string {
  return `PNG, JPG (MAX. ${megabytesOf(settings?.receiptBytesMax ?? RECEIPT_BYTES_MAX)}MB)`
}

/** Why this file cannot be sent as a receipt; null when it can. */
export function refusalOfReceipt(
  receipt: Pick<File, 'type' | 'size'> | null,
  settings?: Limits,
): string | null {
  if (receipt === null) return 'Please provide receipt'
  if (!['image/png', 'image/jpeg'].includes(receipt.type)) {
    return 'The receipt must be a PNG or JPG image'
  }
  const bytesMax = settings?.receiptBytesMax ?? RECEIPT_BYTES_MAX
  return receipt.size > bytesMax ? fileTooLarge(bytesMax) : null
}
