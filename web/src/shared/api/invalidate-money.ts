import type { QueryClient } from '@tanstack/react-query'

/** Whatever shows an amount. After money moved, all of it is asked for again; nothing is guessed. */
export const MONEY_ROOTS = ['transactions', 'investments', 'stats', 'session', 'users'] as const

export async function invalidateMoney(queryClient: QueryClient): Promise<void> {
  await Promise.all(MONEY_ROOTS.map((root) => queryClient.invalidateQueries({ queryKey: [root] })))
}
