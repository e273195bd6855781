import {
  type ContactMessage,
  exportMessages,
  listContactMessages,
  markMessageAnswered,
} from '@cairn/gateway-contracts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Clock } from 'lucide-react'
import { call } from '../../shared/api/client.ts'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

const KEY = getRootKey('messages')

/** Lists the messages from the contact page, newest first. */
export function MessagesPage() {
  const query = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam, signal }) =>
      call(listContactMessages, { query: pageParam === null ? {} : { before: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next,
  })
  const messages = query.data?.pages.flatMap((page) => page.messages)
  const open = query.data?.pages[0]?.meta.open
  return (
    <>
      <PageHeader text="Messages from the contact page." hasTimes />
      <Card>
        <CardHeader
          title="All messages"
          note={open === undefined ? undefined : `${open} open`}
          action={<CsvLink endpoint={exportMessages} />}
        />
        {query.isError && !query.isFetchNextPageError && (
          <div className="p-4">
            <FailedState
              message="The messages could not be loaded."
              error={query.error}
              onRetry={query.refetch}
              pending={query.isFetching}
            />
          </div>
        )}
        {query.isPending && (
          <div className="grid gap-4 p-5">
            <Skeleton className="h-20 w-full" />
            <Skeleton className="h-20 w-full" />
          </div>
        )}
        {messages?.length === 0 && <EmptyState title="No messages yet" />}
        <ul className="divide-y divide-line">
          {messages?.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ul>
        <MoreRows query={query} label="Load older messages" />
      </Card>
    </>
  )
}

function Message({ message }: { message: ContactMessage }) {
  const queryClient = useQueryClient()
  const mark = useMutation({
    mutationFn: () => call(markMessageAnswered, { params: { id: message.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
  const subject = encodeURIComponent('Your message to us')
  return (
    <li className="grid gap-3 p-5 text-14">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="wrap-anywhere min-w-0">
          <span className="font-medium">{message.name}</span>{' '}
          <a href={`mailto:${message.email}?subject=${subject}`} className="underline">
            {message.email}
          </a>
        </p>
        <span className="flex items-center gap-3 text-12 text-muted">
          <DateText at={message.createdAt} format="moment" />
          {message.answeredAt === null ? (
            <Badge tone="pending" icon={Clock} word="Open" />
          ) : (
            <Badge tone="success" icon={CircleCheck} word="Answered" />
          )}
        </span>
      </div>
      <p className="wrap-anywhere max-w-3xl whitespace-pre-wrap">{message.message}</p>
      {mark.isError && (
        <Notice tone="error">
          {getErrorMessage(mark.error, 'The message could not be marked as answered.')}
        </Notice>
      )}
      {message.answeredAt === null && (
        <Button
          size="small"
          className="justify-self-start"
          pending={mark.isPending}
          onClick={() => mark.mutate()}
        >
          Mark as answered
        </Button>
      )}
    </li>
  )
}
