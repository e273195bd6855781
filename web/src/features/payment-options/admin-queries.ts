import {
  createPaymentOption,
  deletePaymentOption,
  editPaymentOption,
  type PayOption,
} from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import type { PaymentOption } from './queries.ts'

export type OptionForm = {
  payOption: PayOption
  bank: string
  accountNumber: string
  extra: string
  explorerUrl: string
  displayStatus: boolean
}
type Saved = {
  option: PaymentOption | null
  form: OptionForm & { reason?: string }
  image: File | null
}

export function useSaveOption() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ option, form, image }: Saved) => {
      const file = image ?? undefined
      if (option === null) return await call(createPaymentOption, { body: form, file })
      const { id } = option
      return await call(editPaymentOption, { params: { id }, body: form, file })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: getRootKey('paymentOptions') }),
  })
}

export function useDeleteOption(id: string, body: { reason?: string }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deletePaymentOption, { params: { id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: getRootKey('paymentOptions') }),
  })
}
