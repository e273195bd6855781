import {
  type BankLine,
  type BankStatement,
  type CashAccount,
  type CashMovement,
  getCashAccount,
  importStatement,
  listBankLines,
  listMatchCandidates,
  listOpenMovements,
  listStatements,
  matchBankLine,
  matchStatements,
  previewStatement,
  type StatementColumns,
  unmatchBankLine,
} from '@cairn/gateway-contracts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { BankLine, BankStatement, CashAccount, CashMovement, StatementColumns }
export type LineState = 'all' | 'open' | 'matched'

const all = getRootKey('bankStatements')
const first = null as string | null

export const bankStatementQueries = {
  readCashAccount: (option: string) =>
    queryOptions({
      queryKey: [...all, 'account', option],
      queryFn: ({ signal }) => call(getCashAccount, { params: { option } }, signal),
      select: ({ account }) => account,
    }),
  listStatements: (option: string) =>
    queryOptions({
      queryKey: [...all, 'statements', option],
      queryFn: ({ signal }) => call(listStatements, { params: { option } }, signal),
      select: ({ statements }) => statements,
    }),
  listLines: (option: string, state: LineState) =>
    infiniteQueryOptions({
      queryKey: [...all, 'lines', option, state],
      queryFn: ({ pageParam, signal }) => {
        const query = pageParam === null ? { state } : { state, after: pageParam }
        return call(listBankLines, { params: { option }, query }, signal)
      },
      initialPageParam: first,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  listMovements: (option: string) =>
    infiniteQueryOptions({
      queryKey: [...all, 'movements', option],
      queryFn: ({ pageParam, signal }) => {
        const query = pageParam === null ? {} : { after: pageParam }
        return call(listOpenMovements, { params: { option }, query }, signal)
      },
      initialPageParam: first,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  listCandidates: (lineId: string) =>
    queryOptions({
      queryKey: [...all, 'candidates', lineId],
      queryFn: ({ signal }) => call(listMatchCandidates, { params: { id: lineId } }, signal),
    }),
  /**
   * The key contains the size and the time of the file, because two files with the same name can
   * have unequal content.
   */
  previewImport: (option: string, file: File, columns: StatementColumns) =>
    queryOptions({
      queryKey: [...all, 'preview', option, file.name, file.size, file.lastModified, columns],
      queryFn: ({ signal }) =>
        call(previewStatement, { params: { option }, body: columns, file }, signal),
      select: ({ preview }) => preview,
      retry: false,
      gcTime: 0,
    }),
}

function useReadAgain() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: all })
}

export function useImportStatement(option: string) {
  return useMutation({
    mutationFn: ({ file, columns }: { file: File; columns: StatementColumns }) =>
      call(importStatement, { params: { option }, body: columns, file }),
    onSettled: useReadAgain(),
  })
}

export function useMatchAgain(option: string) {
  return useMutation({
    mutationFn: () => call(matchStatements, { params: { option } }),
    onSettled: useReadAgain(),
  })
}

export function useMatchLine(id: string, seq: string | null) {
  return useMutation({
    mutationFn: (reason: string) =>
      call(matchBankLine, { params: { id }, body: { seq: seq ?? '', reason } }),
    onSettled: useReadAgain(),
  })
}

export function useUnmatchLine(id: string) {
  return useMutation({
    mutationFn: (reason: string) => call(unmatchBankLine, { params: { id }, body: { reason } }),
    onSettled: useReadAgain(),
  })
}
