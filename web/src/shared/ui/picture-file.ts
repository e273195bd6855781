import { describeFileTooLarge, formatMegabytes, RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'

type Limits = { receiptBytesMax: number }

/**
 * Formats `PNG, JPG (MAX. 2MB)` with the server's limit, or with the default limit until `settings`
 * has loaded.
 */
export function describePictureLimits(settings?: Limits): string {
  return `PNG, JPG (MAX. ${formatMegabytes(settings?.receiptBytesMax ?? RECEIPT_BYTES_MAX)}MB)`
}

/** Returns why this file cannot be a receipt; null if it can. */
export function findReceiptRefusal(
  receipt: Pick<File, 'type' | 'size'> | null,
  settings?: Limits,
): string | null {
  if (receipt === null) return 'Please provide receipt'
  if (!['image/png', 'image/jpeg'].includes(receipt.type)) {
    return 'The payment proof must be a PNG or JPG image'
  }
  const bytesMax = settings?.receiptBytesMax ?? RECEIPT_BYTES_MAX
  return receipt.size > bytesMax ? describeFileTooLarge(bytesMax) : null
}
