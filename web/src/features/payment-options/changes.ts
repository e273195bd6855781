import {
  createPaymentOption,
  deletePaymentOption,
  editPaymentOption,
  type PayOption,
} from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

export type OptionForm = {
  payOption: PayOption
  bank: string
  accountNumber: string
  extra: string
  explorerUrl: string
  displayStatus: boolean
}
type Saved = { id: string | null; form: OptionForm; image: File | null }

export function useSaveOption() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, form, image }: Saved) => {
      const file = image ?? undefined
      if (id === null) await call(createPaymentOption, { body: form, file })
      else await call(editPaymentOption, { params: { id }, body: form, file })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payment-options'] }),
  })
}

export function useDeleteOption(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deletePaymentOption, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payment-options'] }),
  })
}
