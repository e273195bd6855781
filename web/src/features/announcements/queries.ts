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
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

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
  return {
    preview: useMutation({
      mutationFn: (body: AnnouncementContent) => call(previewAnnouncement, { body }),
    }),
    send: useKeyedMutation({
      send: (body: AnnouncementContent & { reason?: string }, idempotencyKey) =>
        call(sendAnnouncement, { body, idempotencyKey }),
      reload: () => queryClient.invalidateQueries({ queryKey: all }),
    }),
  }
}
