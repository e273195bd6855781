import {
  createEndorsement,
  deleteEndorsement,
  type Endorsement,
  editEndorsement,
  listEndorsements,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Endorsement }
export type EndorsementValues = {
  kind: Endorsement['kind']
  name: string
  role: string
  quote: string
  consent: string
  isPaid: boolean
  position: string
  displayStatus: boolean
}

/**
 * The keys of the public list begin with this key, so that one invalidation covers the
 * administrators' list and the public list.
 */
const ROOT = getRootKey('endorsements')

export const endorsementQueries = {
  listEndorsements: () =>
    queryOptions({
      queryKey: [...ROOT, 'admin'],
      queryFn: ({ signal }) => call(listEndorsements, {}, signal),
      select: ({ endorsements }) => endorsements,
    }),
}

/** Adds an entry, or replaces the one that the form was opened with. */
export function useSaveEndorsement(opened: Endorsement | null) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ position, ...values }: EndorsementValues) => {
      const body = position === '' ? values : { ...values, position }
      if (opened === null) await call(createEndorsement, { body })
      else {
        const { id, updatedAt } = opened
        await call(editEndorsement, { params: { id }, query: { updatedAt }, body })
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}

export function useDeleteEndorsement(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteEndorsement, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}
