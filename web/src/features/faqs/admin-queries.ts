import { createFaq, deleteFaq, editFaq, type Faq, listFaqs } from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Faq }
export type FaqValues = {
  question: string
  answer: string
  position: string
  displayStatus: boolean
}

/**
 * The keys of the public questions begin with this key, so that one invalidation covers the
 * administrators' list and the public list.
 */
const ROOT = getRootKey('faqs')

export const adminFaqQueries = {
  listFaqs: () =>
    queryOptions({
      queryKey: [...ROOT, 'admin'],
      queryFn: ({ signal }) => call(listFaqs, {}, signal),
      select: ({ faqs }) => faqs,
    }),
}

export function useSaveFaq(id: string | null) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ position, ...values }: FaqValues) => {
      const body = position === '' ? values : { ...values, position }
      if (id === null) await call(createFaq, { body })
      else await call(editFaq, { params: { id }, body })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}

export function useDeleteFaq(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteFaq, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}
