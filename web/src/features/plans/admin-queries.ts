import {
  type AdminPlan,
  archivePlan,
  createPlan,
  editPlan,
  listAllPlans,
  type PlanRequest,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { planQueries } from './queries.ts'

export type { AdminPlan }

export const adminPlanQueries = {
  listPlans: () =>
    queryOptions({
      queryKey: [...planQueries.all, 'admin'],
      queryFn: ({ signal }) => call(listAllPlans, {}, signal),
      select: ({ plans }) => plans,
    }),
}

/** The version that the values in the form come from. */
type Seen = Pick<AdminPlan, 'id' | 'version'>

/**
 * Creates or edits a plan. The function is not in `queries.ts`, because public pages load
 * `queries.ts` and must not load the request schemas.
 */
export function useSavePlan() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: ({ seen, form }: { seen: Seen | null; form: PlanRequest }, idempotencyKey) =>
      seen === null
        ? call(createPlan, { body: form, idempotencyKey })
        : call(editPlan, {
            params: { id: seen.id },
            query: { version: seen.version },
            body: form,
          }),
    reload: () => queryClient.invalidateQueries({ queryKey: planQueries.all }),
  })
}

export function useArchivePlan({ id, version }: Seen, body: { reason?: string }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(archivePlan, { params: { id }, query: { version }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: planQueries.all }),
  })
}
