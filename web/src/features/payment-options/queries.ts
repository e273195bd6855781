import {
  getPaymentOptionImage,
  listPaymentOptions,
  type PaymentOption,
} from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { PaymentOption }

export const paymentOptionQueries = {
  listOptions: () =>
    queryOptions({
      queryKey: [...getRootKey('paymentOptions'), 'list'],
      queryFn: ({ signal }) => call(listPaymentOptions, {}, signal),
      select: ({ paymentOptions }) => paymentOptions,
    }),
  /** Reads the QR code only to learn why it cannot be shown. */
  checkImage: (id: string) => ({
    queryKey: [...getRootKey('paymentOptions'), 'image', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(getPaymentOptionImage, { params: { id } }, signal),
  }),
}
