import {
  type Announcement,
  type AnnouncementContent,
  type AnnouncementKind,
  type Audience,
  listAnnouncements,
  previewAnnouncement,
  sendAnnouncement,
} from '@cairn/gateway-contracts'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { useSubmission } from '../../shared/api/submission-key.ts'

export type { Announcement, AnnouncementContent, AnnouncementKind, Audience }

const all = getRootKey('announcements')

export const announcementQueries = {
  listAnnouncementPages: () =>
    infiniteQueryOptions({
      queryKey: all,
      queryFn: ({ pageParam, signal }) =>
        call(listAnnouncements, { query: pageParam === null ? {} : { before: pageParam } }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
}

export function useAnnouncementActions() {
  const queryClient = useQueryClient()
  const submission = useSubmission()
  return {
    preview: useMutation({
      mutationFn: (body: AnnouncementContent) => call(previewAnnouncement, { body }),
    }),
    send: useMutation({
      mutationFn: (body: AnnouncementContent & { reason?: string }) => {
        const idempotencyKey = submission.getKey(JSON.stringify(body))
        return call(sendAnnouncement, { body, idempotencyKey })
      },
      onSuccess: () => submission.settle(),
      onError: (error) => submission.settle(error),
      onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
    }),
  }
}
