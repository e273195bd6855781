import {
  listMailTemplates,
  type MailTemplate,
  previewMailTemplate,
  resetMailTemplate,
  saveMailTemplate,
  testMailTemplate,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { MailTemplate }
export type MailText = { subject: string; body: string }

const all = getRootKey('templates')

export const mailTemplateQueries = {
  listTemplates: () =>
    queryOptions({
      queryKey: all,
      queryFn: ({ signal }) => call(listMailTemplates, {}, signal),
      select: ({ templates }) => templates,
    }),
}

export function useTemplateActions(kind: string) {
  const queryClient = useQueryClient()
  const params = { kind }
  const reloadTemplates = () => queryClient.invalidateQueries({ queryKey: all })
  return {
    save: useMutation({
      mutationFn: (body: MailText & { reason?: string }) =>
        call(saveMailTemplate, { params, body }),
      onSettled: reloadTemplates,
    }),
    reset: useMutation({
      mutationFn: (body: { reason?: string }) => call(resetMailTemplate, { params, body }),
      onSettled: reloadTemplates,
    }),
    preview: useMutation({
      mutationFn: (body: MailText) => call(previewMailTemplate, { params, body }),
    }),
    test: useMutation({ mutationFn: () => call(testMailTemplate, { params }) }),
  }
}
