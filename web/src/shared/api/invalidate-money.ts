import type { QueryClient } from '@tanstack/react-query'

/** Query roots that show amounts. All of them are read again after money has moved. */
export const MONEY_ROOTS = ['transactions', 'investments', 'stats', 'session', 'users'] as const

export async function invalidateMoney(queryClient: QueryClient): Promise<void> {
  await Promise.all(MONEY_ROOTS.map((root) => queryClient.invalidateQueries({ queryKey: [root] })))
}
