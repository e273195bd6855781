import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'

import { getRootKey } from '../api/query-keys.ts'
import { FailedState } from './failed-state.tsx'

/** Loads a part of a page when the part is first shown. `name` identifies the part. */
export function useScript<Script>(name: string, load: () => Promise<Script>) {
  return useQuery({
    queryKey: [...getRootKey('scripts'), name],
    queryFn: load,
    staleTime: Infinity,
    // The browser may have the script, and a failed import is reported in any case.
    networkMode: 'always',
    retry: false,
  })
}

type LazyPartProps = {
  name: string
  load: () => Promise<ComponentType>
  /** The message in place of the part if its script cannot be loaded. */
  failed: string
  placeholder: ReactNode
}

/** Shows a part of a page whose script loads later. If it cannot be loaded, the page stays. */
export function LazyPart({ name, load, failed, placeholder }: LazyPartProps) {
  const { data: Part, error, refetch } = useScript(name, load)
  if (Part !== undefined) return <Part />
  if (error === null) return placeholder
  return <FailedState message={failed} error={error} onRetry={refetch} />
}
