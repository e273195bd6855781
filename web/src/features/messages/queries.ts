import { listContactMessages } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

/** Counts the messages without an answer. */
export const countOpenMessages = () =>
  queryOptions({
    queryKey: [...getRootKey('messages'), 'count'],
    queryFn: ({ signal }) => call(listContactMessages, { query: { limit: '1' } }, signal),
    select: ({ meta }) => meta.open,
  })
