import { listMyCertificates, listMyStatements } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

const all = getRootKey('statements')

export const documentQueries = {
  listOwnStatements: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(listMyStatements, {}, signal),
      select: ({ statements }) => statements,
    }),
  listCertificates: () =>
    queryOptions({
      queryKey: [...all, 'certificates'],
      queryFn: ({ signal }) => call(listMyCertificates, {}, signal),
      select: ({ certificates }) => certificates,
    }),
}
