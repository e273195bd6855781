import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

import { IconButton } from './button.tsx'
import { joinClasses } from './join-classes.ts'
import { ReturnFocus } from './return-focus.tsx'
import { ForgetEntries, UnsavedEntriesQuestion, useUnsavedEntries } from './unsaved-entries.tsx'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** The id of what an open dialog shows. If it changes, the content scrolls to its top. */
  subject?: string | null
}

const FRAMES = {
  dialog:
    'inset-x-0 bottom-0 max-h-[92dvh] rounded-t-card animate-rise-in sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[34rem] sm:max-w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card',
  panel: 'inset-y-0 right-0 w-full animate-slide-in sm:w-[30rem]',
  /** If true, the panel is wide enough for a picture beside the facts. */
  'wide-panel': 'inset-y-0 right-0 w-full animate-slide-in sm:w-[30rem] lg:w-[62rem]',
} as const

export function Dialog(props: DialogProps) {
  return <OverlayDialog frame="dialog" {...props} />
}

/** A panel beside the list. It shows the details of a row. */
export function SidePanel({ wide = false, ...props }: DialogProps & { wide?: boolean }) {
  return <OverlayDialog frame={wide ? 'wide-panel' : 'panel'} {...props} />
}

/** The focus moves to the title instead of the close button. */
function focusFrame(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

function OverlayDialog({
  frame,
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  subject = null,
}: DialogProps & { frame: keyof typeof FRAMES }) {
  const entries = useUnsavedEntries(open, onOpenChange)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (subject !== null) content.current?.scrollTo({ top: 0 })
  }, [subject])
  return (
    <ForgetEntries value={entries.forgetEntries}>
      <Primitive.Root open={open} onOpenChange={entries.handleOpenChange}>
        <Primitive.Portal>
          <Primitive.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
          <Primitive.Content
            onOpenAutoFocus={focusFrame}
            // In React, the event of a form in this dialog also reaches the form that opened the
            // dialog, and would submit that form too.
            onSubmit={(event) => {
              event.stopPropagation()
              entries.handleSubmit()
            }}
            onInput={entries.handleInput}
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            className={joinClasses(
              'fixed z-50 flex flex-col border border-line bg-surface shadow-raised',
              FRAMES[frame],
            )}
          >
            <ReturnFocus />
            <div className="flex items-start justify-between gap-4 border-line border-b py-3 pr-3 pl-5">
              <div className="grid min-w-0 grid-cols-1 gap-0.5 py-1.5">
                <Primitive.Title className="font-semibold text-16">{title}</Primitive.Title>
                {description !== undefined && (
                  <Primitive.Description className="text-14 text-muted">
                    {description}
                  </Primitive.Description>
                )}
              </div>
              <Primitive.Close asChild>
                <IconButton label="Close">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              </Primitive.Close>
            </div>
            <div ref={content} className="wrap-anywhere min-h-0 flex-1 overflow-y-auto p-5">
              {children}
            </div>
            {entries.isAsking && (
              <UnsavedEntriesQuestion
                onKeep={entries.keepEntries}
                onDiscard={entries.discardEntries}
              />
            )}
            {footer !== undefined && footer !== null && (
              // The footer is hidden, not removed, so that its fields keep their entries. A high
              // footer scrolls, so that its buttons stay inside a low window.
              <div
                hidden={entries.isAsking}
                className="flex max-h-[60dvh] shrink-0 flex-wrap justify-end gap-2 overflow-y-auto border-line border-t px-5 py-3"
              >
                {footer}
              </div>
            )}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </ForgetEntries>
  )
}
