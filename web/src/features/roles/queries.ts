import { listRoles, type RequestOf, type ResponseOf, setUserRoles } from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

type Roles = ResponseOf<typeof listRoles>
export type PermissionRow = Roles['permissions'][number]
export type Administrator = Roles['administrators'][number]

const all = getRootKey('roles')

export const roleQueries = {
  all,
  listRoles: () =>
    queryOptions({ queryKey: all, queryFn: ({ signal }) => call(listRoles, {}, signal) }),
}

export function useSetRoles(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestOf<typeof setUserRoles>['body']) =>
      call(setUserRoles, { params: { id }, body }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: getRootKey('users') })
      await queryClient.invalidateQueries({ queryKey: all })
    },
  })
}
