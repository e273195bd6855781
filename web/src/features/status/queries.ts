import { getJobs, getServers, getStatus } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

const REFRESH_MS = 10_000

export const statusQueries = {
  readJobs: () =>
    queryOptions({
      queryKey: [...getRootKey('jobs'), 'list'],
      queryFn: ({ signal }) => call(getJobs, {}, signal),
      refetchInterval: REFRESH_MS,
    }),
  readSystemStatus: () =>
    queryOptions({
      queryKey: [...getRootKey('jobs'), 'system'],
      queryFn: ({ signal }) => call(getStatus, {}, signal),
      refetchInterval: REFRESH_MS,
    }),
  readServers: () =>
    queryOptions({
      queryKey: [...getRootKey('jobs'), 'servers'],
      queryFn: ({ signal }) => call(getServers, {}, signal),
      refetchInterval: REFRESH_MS,
    }),
}
