import { addUserNote, getUser, type ResponseOf } from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type UserDetail = ResponseOf<typeof getUser>

const USERS = getRootKey('users')

/** Returns the query that reads a user and the notes about this user. */
export function getUserDetailQuery(id: string) {
  return queryOptions({
    queryKey: [...USERS, 'one', id],
    queryFn: ({ signal }) => call(getUser, { params: { id } }, signal),
  })
}

export function useAddNote(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => call(addUserNote, { params: { id }, body: { text } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: USERS }),
  })
}
