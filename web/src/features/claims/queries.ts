import {
  type AdminClaim,
  type Attestation,
  type ClaimKey,
  createAttestation,
  listAttestations,
  listClaims,
  type RequestOf,
  stateClaim,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { AdminClaim, Attestation, ClaimKey }

type StatementValues = RequestOf<typeof stateClaim>['body']

/**
 * The keys of the public claims begin with this key, so that one invalidation covers the claims of
 * administrators and the public claims.
 */
const all = getRootKey('claims')

export const claimQueries = {
  listAdminClaims: () =>
    queryOptions({
      queryKey: [...all, 'admin'],
      queryFn: ({ signal }) => call(listClaims, {}, signal),
      select: ({ claims }) => claims,
    }),
  listAttestations: () =>
    queryOptions({
      queryKey: [...all, 'attestations'],
      queryFn: ({ signal }) => call(listAttestations, {}, signal),
      select: ({ attestations }) => attestations,
    }),
}

function useReadAgain() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: all })
}

export function useStateClaim(key: ClaimKey) {
  return useMutation({
    mutationFn: (body: StatementValues) => call(stateClaim, { params: { key }, body }),
    onSettled: useReadAgain(),
  })
}

export function useAttest() {
  return useMutation({
    mutationFn: ({ document, ...body }: AttestationValues) =>
      call(createAttestation, { body, file: document }),
    onSettled: useReadAgain(),
  })
}
type AttestationValues = { asOf: string; assets: string; note: string; document: File }
